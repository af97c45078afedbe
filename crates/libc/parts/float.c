/* Functions of math.h that are exact: parts of a number, its neighbours, roundings to integers, rests. Rounding is to nearest. */
#include "library.h"

double rest(double, double) __asm__("fmod itself");
float restf(float, float) __asm__("fmodf itself");
long double restl(long double, long double) __asm__("fmodl itself");
double length(double, double) __asm__("hypot itself");
float lengthf(float, float) __asm__("hypotf itself");
double angle(double, double) __asm__("atan2 itself");
float anglef(float, float) __asm__("atan2f itself");

enum { EDOM = 33, MOST_INT = 0x7fffffff, NO_EXPONENT = -MOST_INT - 1 };
#define ALIAS(result, name, parameters, body) result name parameters { return body; }

/* One instance for each type: the suffix, the bits of the significand, the least and the greatest exponent, the power of two that
   makes a small number a normal one, and its exponent. */
#define FUNCTIONS(T, S, BITS, LEAST, MOST, UP, UPBY, DOWN, DOWNBY, MOD)                                                  \
  T frexp##S(T x, int *exponent)                                                                                   \
  {                                                                                                                \
    *exponent = 0;                                                                                                 \
    if (x == 0 || x - x != 0) return x;                                                                            \
    int by = exponent_of##S(x);                                                                                    \
    if (by < LEAST) by = exponent_of##S(x * UP) - UPBY;                                                            \
    *exponent = by + 1;                                                                                            \
    return scaled##S(x, -by - 1);                                                                                  \
  }                                                                                                                \
  T ldexp##S(T x, int by)                                                                                          \
  {                                                                                                                \
    T made = scaled##S(x, by);                                                                                     \
    if (x - x == 0 && x != 0 && (made == 0 || made - made != 0)) errno = ERANGE;                                   \
    return made;                                                                                                   \
  }                                                                                                                \
  T scalbn##S(T x, int by) { return ldexp##S(x, by); }                                                             \
  T scalbln##S(T x, long by)                                                                                       \
  {                                                                                                                \
    return ldexp##S(x, by > 100000 ? 100000 : by < -100000 ? -100000 : (int)by);                                   \
  }                                                                                                                \
  T modf##S(T x, T *whole)                                                                                         \
  {                                                                                                                \
    T cut = __builtin_trunc##S(x);                                                                                 \
    *whole = cut;                                                                                                  \
    if (x != x) return x;                                                                                          \
    return __builtin_copysign##S(x - x != 0 ? (T)0 : x - cut, x);                                                  \
  }                                                                                                                \
  int ilogb##S(T x)                                                                                                \
  {                                                                                                                \
    if (x == 0 || x - x != 0) {                                                                                    \
      errno = EDOM;                                                                                                \
      return x == 0 || x != x ? NO_EXPONENT : MOST_INT;                                                            \
    }                                                                                                              \
    int by = exponent_of##S(x);                                                                                    \
    return by < LEAST ? exponent_of##S(x * UP) - UPBY : by;                                                        \
  }                                                                                                                \
  T logb##S(T x)                                                                                                   \
  {                                                                                                                \
    if (x - x != 0) return x * x;                                                                                  \
    if (x == 0) {                                                                                                  \
      errno = ERANGE;                                                                                              \
      return -(T)__builtin_inf();                                                                                  \
    }                                                                                                              \
    int by = exponent_of##S(x);                                                                                    \
    return (T)(by < LEAST ? exponent_of##S(x * UP) - UPBY : by);                                                   \
  }                                                                                                                \
  static long long whole##S(T x, int bits)                                                                         \
  {                                                                                                                \
    T limit = (T)(1ULL << (bits - 1));                                                                             \
    if (!(x >= -limit && x < limit)) unusual_argument();                                                           \
    return (long long)x;                                                                                           \
  }                                                                                                                \
  long lround##S(T x) { return (long)whole##S(__builtin_round##S(x), 8 * sizeof(long)); }                          \
  long long llround##S(T x) { return whole##S(__builtin_round##S(x), 64); }                                        \
  long lrint##S(T x) { return (long)whole##S(__builtin_rint##S(x), 8 * sizeof(long)); }                            \
  long long llrint##S(T x) { return whole##S(__builtin_rint##S(x), 64); }                                          \
  T nearbyint##S(T x) { return __builtin_rint##S(x); }                                                             \
  T roundeven##S(T x) { return __builtin_rint##S(x); }                                                             \
  T fdim##S(T x, T y)                                                                                              \
  {                                                                                                                \
    if (x != x) return x;                                                                                          \
    if (y != y) return y;                                                                                          \
    return x > y ? x - y : (T)0;                                                                                   \
  }                                                                                                                \
  T remquo##S(T x, T y, int *quotient)                                                                             \
  {                                                                                                                \
    *quotient = 0;                                                                                                 \
    if (x != x || y != y || x - x != 0 || y == 0) {                                                                \
      if (x == x && y == y) errno = EDOM;                                                                          \
      return (x * y) / (x * y);                                                                                    \
    }                                                                                                              \
    if (y - y != 0) return x;                                                                                      \
    T by = __builtin_fabs##S(y), left = MOD(__builtin_fabs##S(x), by * 8);                                         \
    int count = 0;                                                                                                 \
    for (int times = 4; times > 1; times /= 2)                                                                     \
      if (left >= by * times) {                                                                                    \
        left -= by * times;                                                                                        \
        count += times;                                                                                            \
      }                                                                                                            \
    if (left >= by) {                                                                                              \
      left -= by;                                                                                                  \
      count++;                                                                                                     \
    }                                                                                                              \
    T other = by - left;                                                                                           \
    if (left > other || left == other && count % 2) {                                                              \
      left -= by;                                                                                                  \
      count++;                                                                                                     \
    }                                                                                                              \
    count %= 8;                                                                                                    \
    *quotient = (x < 0) != (y < 0) ? -count : count;                                                               \
    if (left == 0) return __builtin_copysign##S(left, x);                                                          \
    return x < 0 ? -left : left;                                                                                   \
  }                                                                                                                \
  T remainder##S(T x, T y)                                                                                         \
  {                                                                                                                \
    int quotient;                                                                                                  \
    return remquo##S(x, y, &quotient);                                                                             \
  }                                                                                                                \
  int isnan##S(T x) { return x != x; }                                                                             \
  int isinf##S(T x) { return x == x && x - x != 0 ? (x > 0 ? 1 : -1) : 0; }                                         \
  int finite##S(T x) { return x - x == 0; }                                                                        \
  T drem##S(T x, T y) { return remainder##S(x, y); }                                                               \
  static T scaled##S(T x, int by)                                                                                  \
  {                                                                                                                \
    if (x == 0 || x - x != 0) return x;                                                                            \
    for (int i = 0; i < 3 && by > MOST; i++, by -= MOST) x *= power##S(MOST);                                      \
    /* What becomes too small is rounded once. */                                                                  \
    for (int i = 0; i < 3 && by < LEAST; i++, by += DOWNBY) x *= DOWN;                                             \
    if (by > MOST) by = MOST;                                                                                      \
    if (by < LEAST) by = LEAST;                                                                                    \
    return x * power##S(by);                                                                                       \
  }

union bits { double value; unsigned long long bits; };
union bitsf { float value; unsigned bits; };
union bitsl { long double value; struct { unsigned long long significand; unsigned short sign; } bits; };

static int exponent_of(double x) { union bits u = {x}; return (int)(u.bits >> 52 & 0x7ff) - 1023; }
static int exponent_off(float x) { union bitsf u = {x}; return (int)(u.bits >> 23 & 0xff) - 127; }
static int exponent_ofl(long double x) { union bitsl u = {x}; return (u.bits.sign & 0x7fff) - 16383; }
static double power(int by) { union bits u; u.bits = (unsigned long long)(by + 1023) << 52; return u.value; }
static float powerf(int by) { union bitsf u; u.bits = (unsigned)(by + 127) << 23; return u.value; }
static long double powerl(int by)
{
  union bitsl u;
  u.bits.significand = 1ULL << 63;
  u.bits.sign = (unsigned short)(by + 16383);
  return u.value;
}
static double scaled(double, int);
static float scaledf(float, int);
static long double scaledl(long double, int);

FUNCTIONS(double, , 53, -1022, 1023, 0x1p64, 64, 0x1p-969, 969, rest)
FUNCTIONS(float, f, 24, -126, 127, 0x1p64f, 64, 0x1p-102f, 102, restf)
FUNCTIONS(long double, l, 64, -16382, 16383, 0x1p64L, 64, 0x1p-16318L, 16318, restl)

double nextafter(double x, double y)
{
  union bits u = {x};
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) {
    u.bits = 1;
    return y < 0 ? -u.value : u.value;
  }
  if ((x < y) == (x > 0)) u.bits++; else u.bits--;
  return u.value;
}

float nextafterf(float x, float y)
{
  union bitsf u = {x};
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) {
    u.bits = 1;
    return y < 0 ? -u.value : u.value;
  }
  if ((x < y) == (x > 0)) u.bits++; else u.bits--;
  return u.value;
}

long double nextafterl(long double x, long double y)
{
  union bitsl u = {x};
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) {
    u.bits.significand = 1;
    u.bits.sign = y < 0 ? 0x8000 : 0;
    return u.value;
  }
  if (x - x != 0) {
    u.bits.significand = ~0ULL;
    u.bits.sign--;
    return u.value;
  }
  if ((x < y) == (x > 0)) {
    if (++u.bits.significand == 0) {
      u.bits.significand = 1ULL << 63;
      u.bits.sign++;
    } else if (u.bits.significand == 1ULL << 63 && !(u.bits.sign & 0x7fff)) {
      u.bits.sign++;
    }
  } else {
    if (u.bits.significand-- == 1ULL << 63 && (u.bits.sign & 0x7fff)) {
      u.bits.sign--;
      if (u.bits.sign & 0x7fff) u.bits.significand = ~0ULL;
    }
  }
  return u.value;
}

double nexttoward(double x, long double y)
{
  if (x != x || y != y) return (double)(x + y);
  if ((long double)x == y) return (double)y;
  return nextafter(x, x < y ? __builtin_inf() : -__builtin_inf());
}

float nexttowardf(float x, long double y)
{
  if (x != x || y != y) return (float)(x + y);
  if ((long double)x == y) return (float)y;
  return nextafterf(x, x < y ? __builtin_inff() : -__builtin_inff());
}

long double nexttowardl(long double x, long double y) { return nextafterl(x, y); }

double creal(double _Complex z) { return __real__ z; }
float crealf(float _Complex z) { return __real__ z; }
long double creall(long double _Complex z) { return __real__ z; }
double cimag(double _Complex z) { return __imag__ z; }
float cimagf(float _Complex z) { return __imag__ z; }
long double cimagl(long double _Complex z) { return __imag__ z; }
double _Complex conj(double _Complex z) { return ~z; }
float _Complex conjf(float _Complex z) { return ~z; }
long double _Complex conjl(long double _Complex z) { return ~z; }
double cabs(double _Complex z) { return length(__real__ z, __imag__ z); }
float cabsf(float _Complex z) { return lengthf(__real__ z, __imag__ z); }
double carg(double _Complex z) { return angle(__imag__ z, __real__ z); }
float cargf(float _Complex z) { return anglef(__imag__ z, __real__ z); }
