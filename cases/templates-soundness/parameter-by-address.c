// case: templates-soundness/parameter-by-address
// models: the parameter of an earlier call
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 25
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static int *kept;
static int twice;
static void visit(int n)
{
    if (kept == &n)
        twice = 1;
    kept = &n;
}
int main(void)
{
    for (int i = 0; i < 2; i++)
        visit(i);
    assert(twice);
}
