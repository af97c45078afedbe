// case: templates-soundness/char-wraps
// models: a signed char wraps at 128
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
    signed char c = 0;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n && i < 200; i++)
        c++;
    assert(c >= 0);
}
