// case: smg-soundness/size-of-one-branch
// models: a block has the size that a variable says on one branch only: the other branch is not covered by the first
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 18

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
int main(void)
{
    long n = __VERIFIER_nondet_long();
    if (n < 1 || n > 100) return 0;
    char *p;
    if (__VERIFIER_nondet_int()) p = malloc(n); else p = malloc(5);
    while (__VERIFIER_nondet_int()) { }
    p[n - 1] = 0;
    free(p);
    return 0;
}
