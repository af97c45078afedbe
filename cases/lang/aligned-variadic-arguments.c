// case: lang/aligned-variadic-arguments
// models: variadic arguments that are aligned to more than a word, after any number of others
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdarg.h>

struct tall {
    long double x;
    long long tag, more;
};
struct __attribute__((aligned(32))) aligned {
    long long a, b, c, d;
};
typedef float v4 __attribute__((vector_size(16)));

static long long total(int skip, ...) {
    va_list list;
    long long sum = 0;
    va_start(list, skip);
    while (skip--)
        sum += va_arg(list, int);
    struct tall t = va_arg(list, struct tall);
    sum += (long long)t.x + t.tag + t.more;
    sum += va_arg(list, int);
    __int128 wide = va_arg(list, __int128);
    sum += (long long)(wide >> 64) + (long long)wide;
    struct aligned a = va_arg(list, struct aligned);
    sum += a.a + a.b + a.c + a.d;
    sum += (long long)va_arg(list, long double);
    v4 v = va_arg(list, v4);
    sum += (long long)(v[0] + v[3]);
    sum += va_arg(list, int);
    va_end(list);
    return sum;
}

int main(void) {
    struct tall t = {40.5L, 2, 0};
    struct aligned a = {1, 2, 3, 0};
    v4 v = {1, 2, 3, 4};
    __int128 wide = ((__int128)7 << 64) + 5;
    assert(total(0, t, 100, wide, a, 9.5L, v, 1000) == 42 + 100 + 12 + 6 + 9 + 5 + 1000);
    assert(total(1, 1, t, 100, wide, a, 9.5L, v, 1000) == 1 + 42 + 100 + 12 + 6 + 9 + 5 + 1000);
    assert(total(2, 1, 2, t, 100, wide, a, 9.5L, v, 1000) == 3 + 42 + 100 + 12 + 6 + 9 + 5 + 1000);
    return 0;
}
