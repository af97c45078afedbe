// case: lang/padding-of-an-initialiser
// models: padding of an automatic structure is unspecified, also if all its members are initialised by constants
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 13

#include <assert.h>
struct s { char c; int i; };
int main(void)
{
    struct s a = {1, 2};
    assert(((unsigned char *)&a)[1] == 0);
    return 0;
}
