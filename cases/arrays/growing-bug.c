// case: arrays/growing-bug
// models: a stack of numbers whose block doubles
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 20
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned long cap = 4, len = 0;
    int *a = malloc(cap * sizeof *a);
    if (!a) abort();
    while (__VERIFIER_nondet_int() && len < 100000) {
        if (len == cap + 1) {
            cap = 2 * cap;
            a = realloc(a, cap * sizeof *a);
            if (!a) abort();
        }
        a[len] = 1;
        len++;
    }
    free(a);
    return 0;
}
