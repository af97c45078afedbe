// case: templates-soundness/uninitialised-block
// models: a block without content
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
    int *p = malloc(8);
    int x = p[0];
    free(p);
    assert(x == 0);
}
