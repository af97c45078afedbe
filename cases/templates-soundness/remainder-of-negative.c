// case: templates-soundness/remainder-of-negative
// models: a remainder has the sign of the dividend
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 17
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int r = x % 10;
    assert(r >= 0);
}
