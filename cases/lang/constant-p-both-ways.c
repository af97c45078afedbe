// case: lang/constant-p-both-ways
// models: __builtin_constant_p of what an optimiser may know answers either way; its operand is never computed
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
#define SMALL(n) (__builtin_constant_p(n) && (n) < 4 ? 4 : (n))
static int outside = 3;
extern volatile int never;
static int size(const int *p, int n) { return __builtin_constant_p(*p) ? n : n + 1; }
int main(void)
{
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 1 || n > 9)
        return 0;
    char *p = malloc(SMALL(n));
    p[0] = 1;
    free(p);
    p = malloc(size(0, 2));
    p[1] = 1;
    free(p);
    if (__builtin_constant_p(7) != 1 || __builtin_constant_p("abc") != 1)
        *(volatile int *)0 = 1;
    if (__builtin_constant_p(i++) || __builtin_constant_p(__VERIFIER_nondet_int()) || i != 0)
        *(volatile int *)0 = 2;
    if (__builtin_constant_p(never))
        *(volatile int *)0 = 3;
    return outside - 3;
}
