// case: templates-soundness/malloc-fails
// models: what a program does without memory
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 24
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0;
    int *p = calloc(1, sizeof *p);
    if (p) {
        n = *p;
        free(p);
    }
    unsigned k = __VERIFIER_nondet_int();
    for (unsigned i = 0; i < k % 4; i++)
        n++;
    assert(n != 3);
}
