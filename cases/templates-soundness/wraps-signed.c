// case: templates-soundness/wraps-signed
// models: a sum that wraps
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
    unsigned y = (unsigned)x + 1u;
    assert((int)y > x);
}
