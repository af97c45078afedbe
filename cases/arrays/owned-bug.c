// case: arrays/owned-bug
// models: the first block is not freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 22

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        return 0;
    int **a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = malloc(sizeof(int));
    for (int i = 0; i < n; i++)
        *a[i] = i;
    for (int i = 1; i < n; i++)
        free(a[i]);
    free(a);
    return 0;
}
