// case: arrays/moved-names-bug
// models: an array of owned strings is copied to a larger one by memcpy, and the old array is freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 23

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    size_t n = 0, cap = (unsigned)__VERIFIER_nondet_int() % 100 + 1;
    char **v = malloc(cap * sizeof *v);
    while (__VERIFIER_nondet_int()) {
        if (n == cap) {
            if (cap > 10000)
                break;
            char **w = malloc(2 * cap * sizeof *w);
            memcpy(w, v, (n - 1) * sizeof *v);
            free(v);
            v = w;
            cap *= 2;
        }
        v[n] = malloc(n % 2 ? 4 : 7);
        v[n][0] = 'a';
        n++;
    }
    for (size_t i = 0; i < n; i++)
        free(v[i]);
    free(v);
    return 0;
}
