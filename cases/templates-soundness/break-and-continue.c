// case: templates-soundness/break-and-continue
// models: an inner loop left by continue of the outer one
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 28
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0, m = 0;
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 10; j++) {
            if (__VERIFIER_nondet_int())
                break;
            if (__VERIFIER_nondet_int())
                goto next;
            n++;
        }
        continue;
next:
        m += n;
    }
    assert(m <= 50);
}
