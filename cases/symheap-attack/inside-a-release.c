// case: symheap-attack/inside-a-release
// models: a pointer into a block is freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: invalid-free line 15

#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    char *p = malloc(16);
    unsigned i = __VERIFIER_nondet_uint() % 8;
    char *q = p + i * (i == 5);
    free(q);
    return 0;
}
