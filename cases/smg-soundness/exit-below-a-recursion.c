// case: smg-soundness/exit-below-a-recursion
// models: a recursion ends the program while its callers hold blocks
// target: lp64
// property: memcleanup
// verdict: unsafe
// error: leak line 11

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void f(void) {
  if (__VERIFIER_nondet_int()) exit(0);
  char *p = malloc(4);
  f();
  free(p);
}
int main(void) { f(); return 0; }
