// case: templates-soundness/before-the-start
// models: order of an address before an object and its start
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 22
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4];
    int *p = a + 3;
    int n = 0;
    while (p >= a) {
        *p = n++;
        p--;
    }
    assert(p > a);
}
