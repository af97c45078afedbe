// case: templates-soundness/pointer-in-a-table
// models: pointers in an array at an unknown index
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
    int x = 0, y = 0;
    int *t[4] = { &x, &x, &x, &x };
    t[__VERIFIER_nondet_int() & 3] = &y;
    *t[2] = 1;
    assert(x == 1);
}
