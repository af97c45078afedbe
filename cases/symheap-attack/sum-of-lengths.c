// case: symheap-attack/sum-of-lengths
// models: two lengths whose sum wraps in 32 bits
// target: ilp32
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 16

#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (x > 0x7fffffff || x + y + 2 > 64 || x + y + 2 == 0)
        return 0;
    char *p = malloc(x + y + 2);
    p[x] = 1;
    free(p);
    return 0;
}
