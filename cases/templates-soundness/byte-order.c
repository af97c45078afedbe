// case: templates-soundness/byte-order
// models: the last byte of a number is the highest
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
    unsigned char *b = (unsigned char *)&x;
    b[3] = __VERIFIER_nondet_int() & 1;
    assert(x <= 1);
}
