// case: templates-soundness/address-as-number
// models: a pointer stored as a number
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
    int x = 0, y = 0;
    unsigned long n = (unsigned long)&x;
    if (__VERIFIER_nondet_int())
        n = (unsigned long)&y;
    *(int *)n = 1;
    assert(y == 0);
}
