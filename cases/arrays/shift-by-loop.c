// case: arrays/shift-by-loop
// models: a list of owned blocks in an array: one is removed, the others move down one by one
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    size_t n = 0, cap = (unsigned)__VERIFIER_nondet_int() % 1000 + 1;
    char **v = malloc(cap * sizeof *v);
    while (__VERIFIER_nondet_int() && n < cap) {
        v[n] = malloc(4);
        n++;
    }
    if (n > 0) {
        size_t at = (unsigned)__VERIFIER_nondet_int() % n;
        free(v[at]);
        for (size_t j = at; j + 1 < n; j++)
            v[j] = v[j + 1];
        n--;
    }
    for (size_t i = 0; i < n; i++)
        free(v[i]);
    free(v);
    return 0;
}
