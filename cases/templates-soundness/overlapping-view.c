// case: templates-soundness/overlapping-view
// models: a view across two fields
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 18
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct s { short a, b, c, d; };
int main(void)
{
    struct s s = { 1, 2, 3, 4 };
    memset((char *)&s + 1, 0, 4);
    assert(s.b == 2 || s.c == 3);
}
