// case: arrays/shift-by-memmove-bug2
// models: records that own a block, in an array: one is removed and one inserted, the others are moved by memmove
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 31

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct rec { int id; char *name; };

int main(void)
{
    size_t n = 0, cap = (unsigned)__VERIFIER_nondet_int() % 1000 + 1;
    struct rec *v = malloc(cap * sizeof *v);
    while (__VERIFIER_nondet_int() && n < cap) {
        v[n].name = malloc(4);
        n++;
    }
    if (n > 0) {
        size_t at = (unsigned)__VERIFIER_nondet_int() % n;
        free(v[at].name);
        memmove(&v[at], &v[at + 1], (n - at - 1) * sizeof *v);
        n--;
    }
    if (n < cap) {
        size_t at = (unsigned)__VERIFIER_nondet_int() % (n + 1);
        memmove(v + at + 1, v + at, (n - at + 1) * sizeof *v);
        v[at].name = malloc(7);
        v[at].id = 1;
        n++;
    }
    for (size_t i = 0; i < n; i++)
        free(v[i].name);
    free(v);
    return 0;
}
