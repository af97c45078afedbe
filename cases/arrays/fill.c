// case: arrays/fill
// models: a block of n numbers is written and summed up
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    int *a = malloc(n * sizeof *a);
    if (!a) abort();
    for (int i = 0; i < n; i++) a[i] = i;
    long sum = 0;
    for (int i = n - 1; i >= 0; i--) sum += a[i];
    free(a);
    return sum > 100;
}
