// case: templates-soundness/most-negative-divided
// models: the most negative number is its own negation
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
    int y = (int)(0u - (unsigned)x);
    assert(x >= 0 || y > 0);
}
