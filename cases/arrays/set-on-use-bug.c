// case: arrays/set-on-use-bug
// models: the last pointer is not initialised
// target: lp64
// property: memsafety
// verdict: unsafe
// error: wild-deref line 25
// also: invalid-free line 29

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    int **a = malloc(n * sizeof *a);
    for (int i = 0; i < n - 1; i++)
        a[i] = NULL;
    while (__VERIFIER_nondet_int()) {
        int k = __VERIFIER_nondet_int();
        if (k < 0 || k >= n)
            break;
        if (a[k] == NULL)
            a[k] = malloc(sizeof **a);
        *a[k] = k;
    }
    for (int i = 0; i < n; i++)
        if (a[i])
            free(a[i]);
    free(a);
    return 0;
}
