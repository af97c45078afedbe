// case: templates-soundness/interior-pointer
// models: a write through a pointer into the middle
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 23
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct s { int a, b; };
int main(void)
{
    struct s *s = malloc(sizeof *s);
    s->a = 1;
    s->b = 2;
    int *p = __VERIFIER_nondet_int() ? &s->a : &s->b;
    *p = 7;
    int b = s->b;
    free(s);
    assert(b == 2);
}
