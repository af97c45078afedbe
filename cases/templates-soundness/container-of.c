// case: templates-soundness/container-of
// models: from a member back to its structure
// target: ilp32
// property: assertions
// verdict: unsafe
// error: assertion-failure line 20
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct s { int a, b; };
int main(void)
{
    struct s s = { 1, 2 };
    int *b = &s.b;
    struct s *back = (struct s *)((char *)b - 4);
    back->a = 3;
    assert(s.a == 1);
}
