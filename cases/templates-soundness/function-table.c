// case: templates-soundness/function-table
// models: a table of functions at an unknown index
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 19
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static int one(int x) { return x + 1; }
static int two(int x) { return x - 2; }
static int (*table[2])(int) = { one, two };
int main(void)
{
    int n = table[__VERIFIER_nondet_int() & 1](0);
    assert(n > 0);
}
