// case: templates-soundness/byte-of-a-number
// models: a number seen as bytes
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
    b[__VERIFIER_nondet_int() & 3] = 1;
    assert(x <= 1);
}
