// case: libc/qsort-count-bug1
// models: C does not say how often qsort compares
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 16

#include <stdlib.h>

static int seen[3];
static int count;

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    seen[count++] = *x;
    return (*x > *y) - (*x < *y);
}

int main(void)
{
    int numbers[4] = {1, 2, 3, 4};
    qsort(numbers, 4, sizeof numbers[0], compare);
    return 0;
}
