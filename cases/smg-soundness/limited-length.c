// case: smg-soundness/limited-length
// models: the length of a string up to a limit that is not known
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 15

#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned limit = __VERIFIER_nondet_uint();
  assert(strnlen("abcdef", limit) == 6);
  return 0;
}
