// case: symheap/length-wraps
// models: a product of sizes that wraps
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 19

#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned count = __VERIFIER_nondet_uint();
    if (count < 100)
        return 0;
    unsigned bytes = count * 24u;
    char *p = malloc(bytes);
    if (bytes < 64)
        p[64] = 1;
    free(p);
    return 0;
}
