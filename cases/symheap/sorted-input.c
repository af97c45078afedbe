// case: symheap/sorted-input
// models: five numbers in the right order with the right sum
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 24

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[5], sum = 0;
    for (int i = 0; i < 5; i++) {
        a[i] = __VERIFIER_nondet_int();
        if (a[i] < 0 || a[i] > 100000)
            return 0;
        if (i > 0 && a[i] <= a[i - 1])
            return 0;
        sum += a[i];
    }
    int *p = NULL;
    if (sum == 31415 && a[4] - a[0] == 4)
        *p = 1;
    return 0;
}
