// case: templates-soundness/shift-of-negative
// models: an arithmetic shift keeps the sign
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
    int x = __VERIFIER_nondet_int();
    for (int i = 0; i < 40; i++)
        x >>= 1;
    assert(x == 0);
}
