// case: contracts-own/fill_unsafe
// models: an array is filled from the left; unsafe twin
// target: lp64
// property: contracts
// verdict: unsafe
// error: contract line 13
// also: contract line 19
#include <stddef.h>

/*@ requires 0 <= n && n <= 1000;
    requires \forall int *x \in array(a, n); alloc(x);
    modifies array(a, n);
    ensures \forall int *x \in array(a, n); *x == 7;
*/
void fill(int *a, int n)
{
    int i = 0;
    //@ loop invariant 0 <= i && i <= n;
    //@ loop invariant \forall int *x \in array(a, i); *x == 7;
    while (i < n) {
        a[i] = i;
        i = i + 1;
    }
}
