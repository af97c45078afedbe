// case: templates-soundness/float-compare
// models: a number that is not equal to itself
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 17
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double z = 0.0;
    double x = z / z;
    assert(x == x);
}
