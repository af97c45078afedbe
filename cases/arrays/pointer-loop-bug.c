// case: arrays/pointer-loop-bug
// models: a pointer runs to the end of a block
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 17
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    long *a = malloc(n * sizeof *a);
    if (!a) abort();
    long *end = a + n + 1;
    for (long *p = a; p != end; p++)
        *p = 7;
    free(a);
    return 0;
}
