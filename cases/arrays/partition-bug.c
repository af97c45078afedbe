// case: arrays/partition-bug
// models: elements are moved between two blocks of half the size
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 18
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 100000) return 0;
    int *from = calloc(n, sizeof(int)), *small = malloc((n - 1) * sizeof(int));
    if (!from || !small) abort();
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (from[i] < 5) {
            small[count] = from[i];
            count++;
        }
    }
    free(from);
    free(small);
    return 0;
}
