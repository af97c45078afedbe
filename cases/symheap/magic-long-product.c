// case: symheap/magic-long-product
// models: a product of an input has to be a given number
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 17

#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    char *p = malloc(8);
    if (n * 2654435761ul == 0x123456789abcdef1ul)
        free(p);
    free(p);
    return 0;
}
