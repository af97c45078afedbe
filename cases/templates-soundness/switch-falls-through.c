// case: templates-soundness/switch-falls-through
// models: a case without break
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
    case 0: n = 1;
    case 1: n += 2; break;
    default: n = 2;
    }
    assert(n == 2);
}
