// case: templates-soundness/inner-counter-stays
// models: an inner counter is not set back
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 19
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i, j = 0, n = 0;
    for (i = 0; i < 3; i++)
        for (; j < 4; j++)
            n++;
    assert(n == 12 || __VERIFIER_nondet_int() == 0 || n == 0);
}
