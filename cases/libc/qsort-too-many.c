// case: libc/qsort-too-many
// models: qsort is told of one element more than there is, and the comparison reads it
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 15

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int main(void)
{
    int *numbers = malloc(4 * sizeof *numbers);
    for (int i = 0; i < 4; i++)
        numbers[i] = __VERIFIER_nondet_int();
    qsort(numbers, 5, sizeof *numbers, compare);
    free(numbers);
    return 0;
}
