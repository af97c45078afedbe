// case: templates-soundness/boolean
// models: any number that is not zero is true
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
    _Bool b = __VERIFIER_nondet_int();
    int n = b;
    assert(n == 0);
}
