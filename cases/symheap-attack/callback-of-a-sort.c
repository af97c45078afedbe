// case: symheap-attack/callback-of-a-sort
// models: the comparison of a sort looks one element too far
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int a[3];
static int by_next(const void *p, const void *q)
{
    const int *x = p, *y = q;
    return x[1] - y[1];
}
int main(void)
{
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_int();
    qsort(a, 3, sizeof a[0], by_next);
    return a[0];
}
