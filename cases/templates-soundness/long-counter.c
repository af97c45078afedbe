// case: templates-soundness/long-counter
// models: a counter that passes 32 bits
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
    unsigned long n = 0xfffffff0ul;
    int k = __VERIFIER_nondet_int();
    for (int i = 0; i < k && i < 40; i++)
        n++;
    assert((unsigned)n == n);
}
