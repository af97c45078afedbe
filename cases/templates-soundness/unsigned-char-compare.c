// case: templates-soundness/unsigned-char-compare
// models: a char with its high bit is negative
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 17
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char u = (unsigned char)__VERIFIER_nondet_int();
    char s = (char)u;
    assert(s == u);
}
