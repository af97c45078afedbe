// case: lang/float-classes-of-long-double
// models: classes of the x87's numbers, of which those without their leading 1 count as not a number
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <string.h>

static long double made(unsigned short exponent, unsigned long long fraction) {
    long double x = 0;
    memcpy(&x, &fraction, 8);
    memcpy((char *)&x + 8, &exponent, 2);
    return x;
}

int main(void) {
    assert(__builtin_isnormal(made(0x3fff, 1ULL << 63)));
    assert(__builtin_isinf(made(0x7fff, 1ULL << 63)));
    assert(__builtin_isnan(made(0x7fff, 3ULL << 62)));
    assert(__builtin_isnan(made(0x3fff, 1ULL << 62)) && !__builtin_isnormal(made(0x3fff, 1ULL << 62)));
    assert(!__builtin_isfinite(made(0x4001, 5)));
    assert(!__builtin_isnan(made(0, 1ULL << 62)) && !__builtin_isnormal(made(0, 1ULL << 62)));
    assert(!made(0, 0));
    return 0;
}
