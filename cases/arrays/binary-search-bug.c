// case: arrays/binary-search-bug
// models: lo, middle and hi of a sorted block
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static int find(const int *a, int n, int key) {
    int lo = 0, hi = n + 1;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] == key) return mid;
        if (a[mid] < key) lo = mid + 1; else hi = mid;
    }
    return -1;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    int *a = calloc(n, sizeof *a);
    if (!a) abort();
    find(a, n, __VERIFIER_nondet_int());
    free(a);
    return 0;
}
