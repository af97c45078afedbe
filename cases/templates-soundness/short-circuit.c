// case: templates-soundness/short-circuit
// models: the right side of && has an effect
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 18
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0, x = __VERIFIER_nondet_int();
    if (x > 0 && n++ == 0 && x > 10)
        n++;
    assert(n != 2);
}
