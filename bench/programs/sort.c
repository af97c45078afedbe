/* Quick sort of an array of 4000 numbers in a heap block, again and again. */
#include <stdlib.h>

static void sort(unsigned *a, int n)
{
    int i = 0, j = n - 1;
    unsigned pivot;

    if (n < 2)
        return;
    pivot = a[n / 2];
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            unsigned t = a[i];

            a[i++] = a[j];
            a[j--] = t;
        }
    }
    sort(a, j + 1);
    sort(a + i, n - i);
}

int main(void)
{
    enum { LENGTH = 4000 };
    unsigned *a = malloc(LENGTH * sizeof *a), seed = 1;
    int wrong = 0;

    if (a == NULL)
        abort();
    for (int round = 0; round < 30; round++) {
        for (int i = 0; i < LENGTH; i++) {
            seed = seed * 1103515245u + 12345u;
            a[i] = seed >> 8;
        }
        sort(a, LENGTH);
        for (int i = 1; i < LENGTH; i++)
            wrong += a[i - 1] > a[i];
    }
    free(a);
    return wrong;
}
