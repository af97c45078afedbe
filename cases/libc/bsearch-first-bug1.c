// case: libc/bsearch-first-bug1
// models: C does not say which element bsearch looks at first
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 15

#include <stdlib.h>

static int compare(const void *key, const void *element)
{
    const int *x = key, *y = element;
    if (*y == 1)
        y = NULL;
    return (*x > *y) - (*x < *y);
}

int main(void)
{
    int key = 3, numbers[4] = {1, 2, 3, 4};
    bsearch(&key, numbers, 4, sizeof numbers[0], compare);
    return 0;
}
