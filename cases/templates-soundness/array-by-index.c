// case: templates-soundness/array-by-index
// models: an element at an unknown index
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
    int a[5] = { 0 };
    unsigned i = (unsigned)__VERIFIER_nondet_int() % 5;
    a[i] = 1;
    assert(a[3] == 0);
}
