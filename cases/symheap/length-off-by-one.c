// case: symheap/length-off-by-one
// models: the greatest length that is let through is one too long
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 18

#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned k = __VERIFIER_nondet_uint();
    if (n < 1000 || n > 1000000 || k > n)
        return 0;
    char *p = malloc(n);
    p[k] = 0;
    free(p);
    return 0;
}
