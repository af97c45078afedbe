// case: libc/sorted-by-reading
// models: qsort of known elements by a comparison that only reads is executed
// target: lp64
// property: assertions
// verdict: safe

#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int main(void)
{
    int numbers[6] = {5, 3, 9, 1, 3, 2};
    qsort(numbers, 6, sizeof numbers[0], compare);
    for (int i = 1; i < 6; i++)
        assert(numbers[i - 1] <= numbers[i]);
    return 0;
}
