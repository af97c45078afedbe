// case: templates-soundness/alias-by-copy
// models: a structure with a pointer is copied as bytes
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 20
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct box { long pad; int *p; };
int main(void)
{
    int x = 1, y = 1;
    struct box a = { 0, &x }, b = { 0, &y };
    memcpy(&b, &a, sizeof a);
    *b.p = 2;
    assert(x == 1);
}
