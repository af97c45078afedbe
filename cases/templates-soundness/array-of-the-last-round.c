// case: templates-soundness/array-of-the-last-round
// models: an array in a loop has no content from the round before
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 24
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        int a[60];
        if (k == 0)
            for (int i = 0; i < 60; i++)
                a[i] = 1;
        if (k == 1)
            sum = a[(unsigned)__VERIFIER_nondet_int() % 60];
    }
    assert(sum == 1);
}
