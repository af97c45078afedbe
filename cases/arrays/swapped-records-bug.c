// case: arrays/swapped-records-bug
// models: records that own a block are swapped in an array by structure copies
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 28

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct rec { int id; char *name; };

int main(void)
{
    unsigned n = (unsigned)__VERIFIER_nondet_int() % 1000 + 1;
    struct rec *v = malloc(n * sizeof *v);
    for (unsigned i = 0; i < n; i++) {
        v[i].id = __VERIFIER_nondet_int();
        v[i].name = malloc(8);
    }
    if (__VERIFIER_nondet_int()) {
        unsigned a = (unsigned)__VERIFIER_nondet_int() % n;
        unsigned b = (unsigned)__VERIFIER_nondet_int() % n;
        struct rec t = v[a];
        v[a] = v[b];
        v[b].name[7] = 0;
    }
    for (unsigned i = 0; i < n; i++)
        free(v[i].name);
    free(v);
    return 0;
}
