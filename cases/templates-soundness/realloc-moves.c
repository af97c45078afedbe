// case: templates-soundness/realloc-moves
// models: content after realloc
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
    int *p = malloc(8);
    p[0] = 1;
    p[1] = __VERIFIER_nondet_int();
    p = realloc(p, 16);
    int x = p[1];
    free(p);
    assert(x == 1);
}
