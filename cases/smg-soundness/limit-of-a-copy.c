// case: smg-soundness/limit-of-a-copy
// models: a copy may end before the string does
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 14

#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  char *p = strndup("abcdef", n);
  p[6] = 0;
  free(p);
  return 0;
}
