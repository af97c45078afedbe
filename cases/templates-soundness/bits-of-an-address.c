// case: templates-soundness/bits-of-an-address
// models: low bits of an address as marks
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
    int x = 0;
    unsigned long n = (unsigned long)&x | 1;
    *(int *)(n & ~1ul) = 4;
    assert(x == 0);
}
