// case: templates-soundness/one-of-two-outside
// models: a write that may concern one of two globals of another file
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 18
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

extern int first, second;
int main(void)
{
    int *p = __VERIFIER_nondet_int() ? &first : &second;
    *p = 5;
    assert(first == 5);
}
