// case: templates-soundness/divided-by-zero
// models: a divisor that a loop brings to zero
// target: lp64
// property: assertions
// verdict: unsafe
// error: division-by-zero line 17
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int d = 5, s = 0;
    while (__VERIFIER_nondet_int()) {
        s = 100 / d;
        d--;
    }
    return s;
}
