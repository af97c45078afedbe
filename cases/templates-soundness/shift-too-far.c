// case: templates-soundness/shift-too-far
// models: a shift by the width or more
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
    unsigned n = (unsigned)__VERIFIER_nondet_int();
    unsigned x = 1u << n;
    assert(x == 0 || n < 32);
}
