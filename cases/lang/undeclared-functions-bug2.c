// case: lang/undeclared-functions-bug2
// models: the result of an undeclared function that the library has no type for is an integer
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 12
#include <assert.h>
int half();
int main(void)
{
    double d = quarter(8.0);
    assert(d == 2.0);
    return 0;
}
int quarter(x) double x; { return (int)x / 2; }
