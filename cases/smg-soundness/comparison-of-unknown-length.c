// case: smg-soundness/comparison-of-unknown-length
// models: how much of two strings is compared depends on a number that is not known
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 15

#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned limit = __VERIFIER_nondet_uint();
  assert(strncmp("abc", "abd", limit) < 0);
  return 0;
}
