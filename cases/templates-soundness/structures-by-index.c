// case: templates-soundness/structures-by-index
// models: a member of an element at an unknown index
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 19
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct three { int a, b, c; };
int main(void)
{
    struct three t[3] = { { 0 } };
    unsigned i = (unsigned)__VERIFIER_nondet_int() % 3;
    t[i].b = 1;
    assert(t[2].b == 0);
}
