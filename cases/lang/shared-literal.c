// case: lang/shared-literal
// models: two literals with the same characters are one object here, but C leaves it open
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 12

#include <assert.h>
int main(void)
{
    const char *a = "abc", *b = "abc";
    assert(a == b);
    return 0;
}
