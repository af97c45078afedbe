// case: lang/float-classes
// models: isnan, isinf, isfinite, isnormal, signbit and fpclassify of float, double and long double are tests on bits
// target: lp64
// property: assertions
// verdict: safe

#include <assert.h>
#include <math.h>
#include <float.h>

#define CHECK(T, LEAST)                                          \
    do {                                                                     \
        volatile T zero = 0, one = 1;                                        \
        T inf = one / zero, nan = zero / zero, least = LEAST, tiny = least / 2; \
        assert(isinf(inf) && isinf(-inf) && !isinf(one) && !isinf(nan));     \
        assert(isnan(nan) && !isnan(inf) && !isnan(one));                    \
        assert(isfinite(one) && isfinite(tiny) && !isfinite(inf) && !isfinite(nan)); \
        assert(isnormal(one) && isnormal(-one) && isnormal(least) && !isnormal(tiny) && !isnormal(zero) && !isnormal(inf)); \
        assert(__builtin_signbit(-one) && !__builtin_signbit(one) && __builtin_signbit(-zero)); \
        assert(fpclassify(tiny) == FP_SUBNORMAL && fpclassify(zero) == FP_ZERO && fpclassify(inf) == FP_INFINITE); \
        assert(__builtin_isinf_sign(-inf) == -1 && __builtin_isinf_sign(inf) == 1); \
    } while (0)

int main(void)
{
    CHECK(float, FLT_MIN);
    CHECK(double, DBL_MIN);
    CHECK(long double, LDBL_MIN);
    return 0;
}
