// case: templates-soundness/switch-default
// models: what only the default of a switch does
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
    int n = 0;
    switch (__VERIFIER_nondet_int() & 3) {
    case 0: n = 2; break;
    case 1: n = 2; break;
    default: n = 3;
    }
    assert(n == 2);
}
