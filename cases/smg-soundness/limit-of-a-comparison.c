// case: smg-soundness/limit-of-a-comparison
// models: a comparison may end before the strings differ
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 14

#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  char *q = 0;
  if (strncmp("abc", "abd", n) == 0) *q = 1;
  return 0;
}
