// case: arrays/two-ends-bug
// models: an interval that is halved or cut at either end
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 25
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5000) return 0;
    char *marks = calloc(n, 1);
    if (!marks) abort();
    int low = 0, high = n;
    while (high - low > 1) {
        int third = (high - low) / 3;
        switch (__VERIFIER_nondet_int()) {
        case 0: low += third + 1; break;
        case 1: high -= third; break;
        default: low++; high = low + (high - low) / 2; break;
        }
        if (low >= high) break;
        marks[low] = 1;
        marks[high] = 2;
    }
    free(marks);
    return 0;
}
