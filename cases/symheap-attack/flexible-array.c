// case: symheap-attack/flexible-array
// models: a structure with as many elements as an input says, less one
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 18

#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct line { unsigned n; int x[]; };
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 20;
    struct line *l = malloc(sizeof *l + n * sizeof(int));
    l->n = n;
    for (unsigned i = 0; i <= l->n; i++)
        if (i == 13)
            l->x[i] = 0;
    free(l);
    return 0;
}
