// case: templates-soundness/else-branch
// models: what only the other branch does
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 20
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n, x = __VERIFIER_nondet_int();
    if (x > 0)
        n = 1;
    else
        n = 2;
    assert(n == 1);
}
