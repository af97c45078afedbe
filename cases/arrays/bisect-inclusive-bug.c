// case: arrays/bisect-inclusive-bug
// models: bisection between the first and the last index
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 27
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int find(const int *a, int n, int wanted) {
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (a[middle] == wanted) return middle;
        if (a[middle] < wanted) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10000) return 0;
    int *a = calloc(n, sizeof *a);
    if (!a) abort();
    int at = find(a, n, __VERIFIER_nondet_int());
    if (at >= 0) a[at + 1] = 0;
    free(a);
    return 0;
}
