// case: templates-soundness/unsigned-compare
// models: a comparison of unsigned numbers
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
    unsigned x = (unsigned)__VERIFIER_nondet_int();
    int small = 0;
    if (x < 0xf0000000u)
        small = 1;
    assert(small == 0 || (int)x < 0);
}
