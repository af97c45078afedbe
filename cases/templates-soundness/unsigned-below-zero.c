// case: templates-soundness/unsigned-below-zero
// models: an unsigned counter goes below zero
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 19
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned n = 3, sum = 0;
    unsigned k = __VERIFIER_nondet_int() & 7;
    while (k-- > 0)
        n -= 1;
    assert(n <= 3);
}
