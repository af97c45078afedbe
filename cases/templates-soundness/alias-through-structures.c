// case: templates-soundness/alias-through-structures
// models: two structures hold one pointer
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 20
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct box { int *p; };
int main(void)
{
    int x = 1;
    struct box a = { &x }, b = a;
    if (__VERIFIER_nondet_int())
        *b.p = 2;
    assert(*a.p == 1);
}
