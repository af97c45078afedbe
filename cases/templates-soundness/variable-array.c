// case: templates-soundness/variable-array
// models: an array of variable length
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 19
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = (__VERIFIER_nondet_int() & 3) + 1;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    assert(a[n - 1] == 0);
}
