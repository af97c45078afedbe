// case: templates-soundness/uninitialised-differs
// models: two variables without a value differ
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 16
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[2];
    assert(a[0] == a[1]);
}
