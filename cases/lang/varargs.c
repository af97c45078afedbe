// case: lang/varargs
// models: va_start, va_arg, va_copy with ints, doubles, pointers, structures, long double; va_list passed on
// target: lp64
// property: assertions
// verdict: safe

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct segment { struct point from, to; long weight; };

static long sum(int n, ...)
{
    va_list ap, again;
    va_start(ap, n);
    va_copy(again, ap);
    long total = 0;
    for (int i = 0; i < n; i++)
        total += va_arg(ap, int);
    for (int i = 0; i < n; i++)
        total += 100 * va_arg(again, int);
    va_end(again);
    va_end(ap);
    return total;
}

static double walk(const char *kinds, va_list ap)
{
    double total = 0;
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': total += va_arg(ap, int); break;
        case 'l': total += (double)va_arg(ap, long long); break;
        case 'd': total += va_arg(ap, double); break;
        case 's': total += (double)strlen(va_arg(ap, const char *)); break;
        case 'p': { struct point p = va_arg(ap, struct point); total += p.x * p.y; break; }
        case 'g': { struct segment g = va_arg(ap, struct segment); total += g.to.y + (double)g.weight; break; }
        case 'L': total += (double)va_arg(ap, long double); break;
        }
    return total;
}

static double mixed(const char *kinds, ...)
{
    va_list ap;
    va_start(ap, kinds);
    double result = walk(kinds, ap);
    va_end(ap);
    return result;
}

static int format(char *to, size_t size, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(to, size, fmt, ap);
    va_end(ap);
    return n;
}

int main(void)
{
    assert(sum(0) == 0);
    assert(sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 55 * 101);
    struct point p = { 3, 4 };
    struct segment g = { { 1, 2 }, { 3, 4 }, 100 };
    double d = mixed("idlspgLdi", -1, 0.5, 1LL << 40, "four", p, g, 2.25L, 1e3, 9);
    assert(d == -1 + 0.5 + 1099511627776.0 + 4 + 12 + 104 + 2.25 + 1000 + 9);
    char buf[16];
    assert(format(buf, sizeof buf, "%d-%s-%c-%.2f", 42, "ab", 'x', 1.5) == 12);
    assert(strcmp(buf, "42-ab-x-1.50") == 0);
    assert(format(buf, 4, "%s", "truncated") == 9 && strcmp(buf, "tru") == 0);
    return 0;
}
