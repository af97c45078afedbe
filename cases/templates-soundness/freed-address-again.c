// case: templates-soundness/freed-address-again
// models: a new block may or may not lie where a freed one was
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
    int *p = malloc(4), *old = p;
    free(p);
    int *q = malloc(4);
    int same = old == q;
    free(q);
    assert(same);
}
