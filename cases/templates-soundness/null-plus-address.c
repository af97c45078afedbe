// case: templates-soundness/null-plus-address
// models: an address made of null and a distance
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
    int x = 0;
    char *p = (char *)&x;
    char *q = (char *)0 + (unsigned long)p;
    assert(q != p);
}
