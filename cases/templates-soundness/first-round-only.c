// case: templates-soundness/first-round-only
// models: what fails in the first round of a loop, and in no other
// target: lp64
// property: assertions
// verdict: unsafe
// error: division-by-zero line 17
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = 0;

    while (__VERIFIER_nondet_int()) {
        y = 100 / x;
        x = 1 + (y & 1);
    }
    return y;
}
