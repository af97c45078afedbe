// case: templates-soundness/bit-field
// models: a bit-field wraps at its width
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 20
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct f { unsigned a : 3, b : 5; };
int main(void)
{
    struct f f = { 0, 1 };
    int k = __VERIFIER_nondet_int() & 15;
    for (int i = 0; i < k; i++)
        f.a++;
    assert(f.a >= (unsigned)k || f.b != 1);
}
