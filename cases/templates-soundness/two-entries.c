// case: templates-soundness/two-entries
// models: a loop that is entered at two places
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 23
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0;
    if (__VERIFIER_nondet_int())
        goto inside;
    while (__VERIFIER_nondet_int()) {
        n++;
inside:
        n += 2;
    }
    assert(n % 3 == 0);
}
