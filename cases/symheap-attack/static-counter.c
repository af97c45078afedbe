// case: symheap-attack/static-counter
// models: the third call of a function
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 16

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int next(void)
{
    static int calls;
    static int *kept = &calls;
    if (++calls == 3)
        kept = 0;
    return *kept;
}
int main(void)
{
    int n = 0;
    while (__VERIFIER_nondet_int() == 42)
        n += next();
    return n;
}
