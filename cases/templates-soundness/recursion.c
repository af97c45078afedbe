// case: templates-soundness/recursion
// models: a number that recursion changes
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 24
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int depth;
static void down(int n)
{
    if (n > 0) {
        depth++;
        down(n - 1);
    }
}
int main(void)
{
    down(__VERIFIER_nondet_int() & 15);
    assert(depth < 15);
}
