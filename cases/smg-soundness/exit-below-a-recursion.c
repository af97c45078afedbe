// case: smg-soundness/exit-below-a-recursion
// models: a recursive call ends the program while an outer call owns a block
// target: lp64
// property: memcleanup
// verdict: unsafe
// error: leak line 14

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void descend(void) {
  if (__VERIFIER_nondet_int())
    exit(0);
  char *block = malloc(4);
  descend();
  free(block);
}

int main(void) {
  descend();
  return 0;
}
