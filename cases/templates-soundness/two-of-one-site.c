// case: templates-soundness/two-of-one-site
// models: two blocks of one allocation in a loop
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
    int *a[2];
    for (int i = 0; i < 2; i++) {
        a[i] = malloc(sizeof(int));
        *a[i] = i;
    }
    *a[0] = 5;
    int n = *a[1];
    free(a[0]);
    free(a[1]);
    assert(n == 5);
}
