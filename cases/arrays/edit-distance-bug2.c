// case: arrays/edit-distance-bug2
// models: a table of (n + 1) * (m + 1) numbers
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 20
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 0 || n > 60 || m < 0 || m > 60) return 0;
    int width = m + 1;
    int *table = calloc((size_t)(n + 1) * width, sizeof *table);
    if (!table) abort();
    for (int i = 0; i <= n; i++) table[i * width] = i;
    for (int j = 0; j <= m; j++) table[j] = j;
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= m; j++) {
            int left = table[i * width + j - 1], up = table[(i + 1) * width + j];
            table[i * width + j] = left < up ? left : up;
        }
    }
    int last = table[n * width + m];
    free(table);
    return last;
}
