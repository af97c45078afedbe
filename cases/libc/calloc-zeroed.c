// case: libc/calloc-zeroed
// models: calloc gives zeros, malloc does not; the size is a product
// target: lp64
// property: assertions
// verdict: safe

#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 16 + 1;
    long *p = calloc(n, sizeof *p);
    assert(p[0] == 0 && p[n - 1] == 0);
    free(p);
    return 0;
}
