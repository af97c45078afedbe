// case: symheap-attack/product-of-calloc
// models: a product that wraps in 32 bits
// target: ilp32
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 16

#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0)
        return 0;
    char *p = malloc(n * 4096);
    p[0] = 1;
    free(p);
    return 0;
}
