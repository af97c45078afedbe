// case: arrays/sorted-pointers-bug
// models: half a swap loses a block
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 26
// also: double-free line 28

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int **a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = malloc(sizeof **a);
        *a[i] = __VERIFIER_nondet_int();
    }
    for (int i = 0; i + 1 < n; i++)
        for (int j = 0; j + 1 < n; j++)
            if (*a[j] > *a[j + 1]) {
                int *t = a[j];
                a[j] = a[j + 1];
            }
    for (int i = 0; i < n; i++)
        free(a[i]);
    free(a);
    return 0;
}
