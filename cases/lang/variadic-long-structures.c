// case: lang/variadic-long-structures
// models: structures with `long double` among variadic arguments
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdarg.h>
struct number { long double v; };
struct two { long double a, b; };
struct mixed { long double a; int n; };
struct large { long n[5]; };
static int whole(int n, ...)
{
    va_list a;
    va_start(a, n);
    struct number l = va_arg(a, struct number);
    int one = va_arg(a, int);
    struct two t = va_arg(a, struct two);
    struct large g = va_arg(a, struct large);
    struct mixed m = va_arg(a, struct mixed);
    long double x = va_arg(a, long double);
    int last = va_arg(a, int);
    va_end(a);
    return (int)l.v + one + (int)t.b + (int)g.n[4] + m.n + (int)m.a + (int)x + last;
}
int main(void)
{
    struct number l = { 3.0L };
    struct two t = { 1.0L, 2.0L };
    struct large g = { { 1, 2, 3, 4, 5 } };
    struct mixed m = { 6.0L, 7 };
    assert(whole(1, l, 10, t, g, m, 8.0L, 9) == 3 + 10 + 2 + 5 + 7 + 6 + 8 + 9);
    return 0;
}
