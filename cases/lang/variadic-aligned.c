// case: lang/variadic-aligned
// models: variadic arguments that are aligned to 16 bytes after others that fill an odd number of words
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdarg.h>

struct precise { long double value; int unit; };
struct wide { __int128 value; };
struct two { long a, b; };

static long sum(int n, ...) {
    va_list list;
    long all = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) {
        all += va_arg(list, int);
        __int128 number = va_arg(list, __int128);
        all += (long)number + (long)(number >> 64);
        struct precise p = va_arg(list, struct precise);
        all += (long)p.value * p.unit;
        struct two t = va_arg(list, struct two);
        all += t.a * t.b;
        struct wide w = va_arg(list, struct wide);
        all += (long)(w.value >> 3);
    }
    va_end(list);
    return all;
}

int main(void) {
    __int128 number = ((__int128)7 << 64) + 5;
    struct precise p = { 2.5L, 10 };
    struct two t = { 3, 100 };
    struct wide w = { 8000 };
    assert(sum(1, 1, number, p, t, w) == 1 + 12 + 20 + 300 + 1000);
    assert(sum(2, 1, number, p, t, w, 2, number, p, t, w) == 3 + 2 * (12 + 20 + 300 + 1000));
    return 0;
}
