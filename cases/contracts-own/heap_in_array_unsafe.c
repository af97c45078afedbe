// case: contracts-own/heap_in_array_unsafe
// models: a binary heap in an array: one step up; unsafe twin
// target: lp64
// property: contracts
// verdict: unsafe
// error: contract line 12
#include <stddef.h>

/*@ requires 1 <= i && i < n && n <= 1000;
    requires \forall int *x \in array(a, n); alloc(x);
    modifies {a + i, a + (i - 1) / 2};
    ensures a[(i - 1) / 2] >= a[i];
    ensures \result == (i - 1) / 2;
*/
int up(int *a, int n, int i)
{
    int parent = (i - 1) / 2;
    if (a[parent] > a[i]) {
        int t = a[parent];
        a[parent] = a[i];
        a[i] = t;
    }
    return parent;
}
