// case: templates-soundness/union-pointer
// models: a pointer behind a number of a union
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 21
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 1, y = 2;
    union { int *p; unsigned long n; } u;
    u.p = &x;
    if (__VERIFIER_nondet_int())
        u.p = &y;
    *u.p = 9;
    assert(y == 2);
}
