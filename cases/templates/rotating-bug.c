// case: templates/rotating-bug
// models: three numbers that change places, two of which may be equal
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 22
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();

    if (a == b || b == c)
        return 0;
    while (__VERIFIER_nondet_int()) {
        int first = a;
        assert(a != b);
        a = b;
        b = c;
        c = first;
    }
    return 0;
}
