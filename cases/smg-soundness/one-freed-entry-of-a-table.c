// case: smg-soundness/one-freed-entry-of-a-table
// models: an unknown index of a long table may be that of the only bad entry
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 20

#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int *table[64] = { NULL };
  int *kept = malloc(sizeof *kept), *gone = malloc(sizeof *gone);
  *kept = 1;
  table[50] = kept;
  table[0] = gone;
  free(gone);
  int *entry = table[__VERIFIER_nondet_uint() % 64];
  int result = entry ? *entry : 0;
  free(kept);
  return result;
}
