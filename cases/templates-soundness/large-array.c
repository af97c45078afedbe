// case: templates-soundness/large-array
// models: an element of an array with many elements
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 18
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int a[1000];
int main(void)
{
    unsigned i = (unsigned)__VERIFIER_nondet_int() % 1000;
    a[i] = 1;
    assert(a[0] == 0);
}
