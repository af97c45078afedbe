// case: templates/rotating
// models: three different numbers that change places
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();

    if (a == b || b == c || c == a)
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
