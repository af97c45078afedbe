// case: templates-soundness/static-local
// models: a static variable keeps its value
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 19
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static int count(void) { static int n; return n++; }
int main(void)
{
    int last = 0;
    for (int i = 0; i < 3; i++)
        last = count();
    assert(last == 0 || __VERIFIER_nondet_int() == 0);
}
