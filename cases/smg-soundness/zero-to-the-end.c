// case: smg-soundness/zero-to-the-end
// models: a block that is zero to its end may end where the first zero would be
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 25

#include <stdlib.h>
#include <string.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong(), i = __VERIFIER_nondet_ulong();
    unsigned long j = __VERIFIER_nondet_ulong();
    if (n < 1 || n > 100 || i >= n || j >= n)
        return 0;
    int **numbers = calloc(n, sizeof *numbers);
    numbers[j] = malloc(sizeof **numbers);
    char *name = calloc(n, 1);
    name[0] = 'a';
    char any = name[i];
    /* where n is 1, no zero is left */
    unsigned long length = strlen(name);
    free(name);
    for (unsigned long k = 0; k < n; k++)
        free(numbers[k]);
    free(numbers);
    return any + (length > 3);
}
