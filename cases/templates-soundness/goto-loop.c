// case: templates-soundness/goto-loop
// models: a loop of goto
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
    int n = 0;
again:
    n++;
    if (__VERIFIER_nondet_int())
        goto again;
    assert(n < 5);
}
