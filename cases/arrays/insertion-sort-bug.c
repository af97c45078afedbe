// case: arrays/insertion-sort-bug
// models: an inner loop runs down from the outer index
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 13
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static void sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int x = a[i], j = i;
        while (j >= 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    int *a = malloc(n * sizeof *a);
    if (!a) abort();
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    sort(a, n);
    free(a);
    return 0;
}
