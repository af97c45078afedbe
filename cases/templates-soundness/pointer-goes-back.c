// case: templates-soundness/pointer-goes-back
// models: small negative moves of a 32 bit pointer
// target: ilp32
// property: assertions
// verdict: unsafe
// error: assertion-failure line 19
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[3] = { 1, 2, 3 };
    int *p = a + 2;
    p = p - 1;
    *p = 7;
    assert(a[1] == 2);
}
