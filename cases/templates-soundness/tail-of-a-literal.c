// case: templates-soundness/tail-of-a-literal
// models: literals may share memory
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 16
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    const char *a = "xabc", *b = "abc";
    assert(a + 1 != b);
}
