// case: symheap-attack/nothing-allocated
// models: a block of size zero
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 14

#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    char *p = malloc(n > 1000 ? 1 : n);
    p[0] = 1;
    free(p);
    return 0;
}
