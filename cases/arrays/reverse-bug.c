// case: arrays/reverse-bug
// models: two indices meet in the middle of a block
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 18
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    int *a = calloc(n, sizeof *a);
    if (!a) abort();
    int lo = 0, hi = n;
    while (lo < hi) {
        int t = a[lo];
        a[lo] = a[hi];
        a[hi] = t;
        lo++;
        hi--;
    }
    free(a);
    return 0;
}
