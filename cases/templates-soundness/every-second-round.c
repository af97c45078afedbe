// case: templates-soundness/every-second-round
// models: what fails after every second round of a loop
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
        x = x == 1 ? 2 : 1;
    assert(x != 2);
    return 0;
}
