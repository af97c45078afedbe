// case: templates-soundness/two-shorts
// models: two short views over one int
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 18
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    union { unsigned n; unsigned short h[2]; } u;
    u.n = 0x10000u;
    u.h[0] = (unsigned short)__VERIFIER_nondet_int();
    assert(u.n == 0x10000u);
}
