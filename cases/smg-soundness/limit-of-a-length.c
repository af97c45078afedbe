// case: smg-soundness/limit-of-a-length
// models: a limit that is not known may cut a string anywhere
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
  if (strnlen("abcdef", n) != 6) *q = 1;
  return 0;
}
