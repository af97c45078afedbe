// case: templates-soundness/variable-of-the-last-round
// models: addresses of one variable in two rounds of a loop need not be equal
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 21
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *old = 0, same = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        same += old == &x;
        old = &x;
    }
    assert(same == 2);
}
