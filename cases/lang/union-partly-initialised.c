// case: lang/union-partly-initialised
// models: bytes of an automatic union that its initialiser does not name are unspecified (clang: undef), not zero
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 13

#include <assert.h>
union u { char c; int i[8]; };
int main(void)
{
    union u a = {1};
    assert(a.i[5] == 0);
    return 0;
}
