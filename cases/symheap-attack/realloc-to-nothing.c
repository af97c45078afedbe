// case: symheap-attack/realloc-to-nothing
// models: realloc to size zero frees
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 16

#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 3;
    char *p = malloc(4);
    char *q = realloc(p, n);
    if (!q)
        free(p);
    free(q);
    return 0;
}
