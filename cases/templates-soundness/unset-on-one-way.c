// case: templates-soundness/unset-on-one-way
// models: a global of another file that only one way assigns
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 18
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

extern int outside;
int main(void)
{
    if (__VERIFIER_nondet_int())
        outside = 1;
    assert(outside == 1);
}
