// case: templates-soundness/no-round-at-all
// models: what fails only if a loop is left at once
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 17
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 0;

    while (__VERIFIER_nondet_int())
        x = 1;
    assert(x == 1);
    return 0;
}
