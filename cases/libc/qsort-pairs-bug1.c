// case: libc/qsort-pairs-bug1
// models: C does not say which elements qsort compares
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 15

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    if (*x == 1 && *y == 3)
        x = NULL;
    return (*x > *y) - (*x < *y);
}

int main(void)
{
    int numbers[3] = {2, 1, 3};
    qsort(numbers, 3, sizeof numbers[0], compare);
    return 0;
}
