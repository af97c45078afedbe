// case: templates-soundness/function-pointers
// models: one of two functions is called
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 24
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
int main(void)
{
    int (*f)(int) = one;
    int n = 0;
    for (int i = 0; i < 4; i++) {
        n = f(n);
        if (__VERIFIER_nondet_int())
            f = two;
    }
    assert(n == 4);
}
