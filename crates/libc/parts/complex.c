/* Products and quotients of complex numbers, as the compiler calls them. The infinite ones are those of annex G of C. */
#include "library.h"

#define IS_NAN(x) __builtin_isnan(x)
#define IS_INF(x) __builtin_isinf(x)
#define IS_FINITE(x) __builtin_isfinite(x)
#define INFINITE __builtin_inf()
#define MAGNITUDE(x) ((x) < 0 ? -(x) : (x))
#define SIGNED(type, size, of) (__builtin_signbit(of) ? -(type)(size) : (type)(size))
/* One where a part is infinite and zero where it is not, with its sign. */
#define UNIT(type, x) SIGNED(type, IS_INF(x) ? 1 : 0, x)
/* Zero instead of what is no number. */
#define NUMBER(type, x) (IS_NAN(x) ? SIGNED(type, 0, x) : (x))
#define PAIR(type, x, y) ({ type z; __real__ z = (x); __imag__ z = (y); z; })

/* Libraries compute quotients in different ways. One that two ways do not agree on has last digits that no C program can rely on. */
void __heapproof_inexact_quotient(void);
#define FIXED(x, y, a, b, c, d)                                                                                         \
  do {                                                                                                                  \
    if (!IS_NAN(x) && !IS_NAN(y) &&                                                                                     \
        ((x) != ((a) * (c) + (b) * (d)) / ((c) * (c) + (d) * (d)) || (y) != ((b) * (c) - (a) * (d)) / ((c) * (c) + (d) * (d)))) \
      __heapproof_inexact_quotient();                                                                                   \
  } while (0)

float _Complex __mulsc3(float a, float b, float c, float d)
{
  float x = a * c - b * d, y = a * d + b * c;
  if (IS_NAN(x) && IS_NAN(y)) {
    /* An infinite operand makes the product infinite, unless the other one is zero or no number. */
    _Bool again = 0;
    if (IS_INF(a) || IS_INF(b)) {
      a = UNIT(float, a);
      b = UNIT(float, b);
      c = NUMBER(float, c);
      d = NUMBER(float, d);
      again = 1;
    }
    if (IS_INF(c) || IS_INF(d)) {
      c = UNIT(float, c);
      d = UNIT(float, d);
      a = NUMBER(float, a);
      b = NUMBER(float, b);
      again = 1;
    }
    if (!again && (IS_INF(a * c) || IS_INF(b * d) || IS_INF(a * d) || IS_INF(b * c))) {
      a = NUMBER(float, a);
      b = NUMBER(float, b);
      c = NUMBER(float, c);
      d = NUMBER(float, d);
      again = 1;
    }
    if (again) {
      x = (float)INFINITE * (a * c - b * d);
      y = (float)INFINITE * (a * d + b * c);
    }
  }
  return PAIR(float _Complex, x, y);
}

float _Complex __divsc3(float a, float b, float c, float d)
{
  float x, y;
  /* The smaller part of the divisor by the larger one, so that no square overflows. */
  if (MAGNITUDE(c) < MAGNITUDE(d)) {
    float ratio = c / d, whole = c * ratio + d;
    x = (a * ratio + b) / whole;
    y = (b * ratio - a) / whole;
  } else {
    float ratio = d / c, whole = d * ratio + c;
    x = (b * ratio + a) / whole;
    y = (b - a * ratio) / whole;
  }
  FIXED(x, y, a, b, c, d);
  if (IS_NAN(x) && IS_NAN(y)) {
    if (c == 0 && d == 0 && (!IS_NAN(a) || !IS_NAN(b))) {
      x = SIGNED(float, INFINITE, c) * a;
      y = SIGNED(float, INFINITE, c) * b;
    } else if ((IS_INF(a) || IS_INF(b)) && IS_FINITE(c) && IS_FINITE(d)) {
      a = UNIT(float, a);
      b = UNIT(float, b);
      x = (float)INFINITE * (a * c + b * d);
      y = (float)INFINITE * (b * c - a * d);
    } else if ((IS_INF(c) || IS_INF(d)) && IS_FINITE(a) && IS_FINITE(b)) {
      c = UNIT(float, c);
      d = UNIT(float, d);
      x = 0 * (a * c + b * d);
      y = 0 * (b * c - a * d);
    }
  }
  return PAIR(float _Complex, x, y);
}

double _Complex __muldc3(double a, double b, double c, double d)
{
  double x = a * c - b * d, y = a * d + b * c;
  if (IS_NAN(x) && IS_NAN(y)) {
    /* An infinite operand makes the product infinite, unless the other one is zero or no number. */
    _Bool again = 0;
    if (IS_INF(a) || IS_INF(b)) {
      a = UNIT(double, a);
      b = UNIT(double, b);
      c = NUMBER(double, c);
      d = NUMBER(double, d);
      again = 1;
    }
    if (IS_INF(c) || IS_INF(d)) {
      c = UNIT(double, c);
      d = UNIT(double, d);
      a = NUMBER(double, a);
      b = NUMBER(double, b);
      again = 1;
    }
    if (!again && (IS_INF(a * c) || IS_INF(b * d) || IS_INF(a * d) || IS_INF(b * c))) {
      a = NUMBER(double, a);
      b = NUMBER(double, b);
      c = NUMBER(double, c);
      d = NUMBER(double, d);
      again = 1;
    }
    if (again) {
      x = (double)INFINITE * (a * c - b * d);
      y = (double)INFINITE * (a * d + b * c);
    }
  }
  return PAIR(double _Complex, x, y);
}

double _Complex __divdc3(double a, double b, double c, double d)
{
  double x, y;
  /* The smaller part of the divisor by the larger one, so that no square overflows. */
  if (MAGNITUDE(c) < MAGNITUDE(d)) {
    double ratio = c / d, whole = c * ratio + d;
    x = (a * ratio + b) / whole;
    y = (b * ratio - a) / whole;
  } else {
    double ratio = d / c, whole = d * ratio + c;
    x = (b * ratio + a) / whole;
    y = (b - a * ratio) / whole;
  }
  FIXED(x, y, a, b, c, d);
  if (IS_NAN(x) && IS_NAN(y)) {
    if (c == 0 && d == 0 && (!IS_NAN(a) || !IS_NAN(b))) {
      x = SIGNED(double, INFINITE, c) * a;
      y = SIGNED(double, INFINITE, c) * b;
    } else if ((IS_INF(a) || IS_INF(b)) && IS_FINITE(c) && IS_FINITE(d)) {
      a = UNIT(double, a);
      b = UNIT(double, b);
      x = (double)INFINITE * (a * c + b * d);
      y = (double)INFINITE * (b * c - a * d);
    } else if ((IS_INF(c) || IS_INF(d)) && IS_FINITE(a) && IS_FINITE(b)) {
      c = UNIT(double, c);
      d = UNIT(double, d);
      x = 0 * (a * c + b * d);
      y = 0 * (b * c - a * d);
    }
  }
  return PAIR(double _Complex, x, y);
}

long double _Complex __mulxc3(long double a, long double b, long double c, long double d)
{
  long double x = a * c - b * d, y = a * d + b * c;
  if (IS_NAN(x) && IS_NAN(y)) {
    /* An infinite operand makes the product infinite, unless the other one is zero or no number. */
    _Bool again = 0;
    if (IS_INF(a) || IS_INF(b)) {
      a = UNIT(long double, a);
      b = UNIT(long double, b);
      c = NUMBER(long double, c);
      d = NUMBER(long double, d);
      again = 1;
    }
    if (IS_INF(c) || IS_INF(d)) {
      c = UNIT(long double, c);
      d = UNIT(long double, d);
      a = NUMBER(long double, a);
      b = NUMBER(long double, b);
      again = 1;
    }
    if (!again && (IS_INF(a * c) || IS_INF(b * d) || IS_INF(a * d) || IS_INF(b * c))) {
      a = NUMBER(long double, a);
      b = NUMBER(long double, b);
      c = NUMBER(long double, c);
      d = NUMBER(long double, d);
      again = 1;
    }
    if (again) {
      x = (long double)INFINITE * (a * c - b * d);
      y = (long double)INFINITE * (a * d + b * c);
    }
  }
  return PAIR(long double _Complex, x, y);
}

long double _Complex __divxc3(long double a, long double b, long double c, long double d)
{
  long double x, y;
  /* The smaller part of the divisor by the larger one, so that no square overflows. */
  if (MAGNITUDE(c) < MAGNITUDE(d)) {
    long double ratio = c / d, whole = c * ratio + d;
    x = (a * ratio + b) / whole;
    y = (b * ratio - a) / whole;
  } else {
    long double ratio = d / c, whole = d * ratio + c;
    x = (b * ratio + a) / whole;
    y = (b - a * ratio) / whole;
  }
  FIXED(x, y, a, b, c, d);
  if (IS_NAN(x) && IS_NAN(y)) {
    if (c == 0 && d == 0 && (!IS_NAN(a) || !IS_NAN(b))) {
      x = SIGNED(long double, INFINITE, c) * a;
      y = SIGNED(long double, INFINITE, c) * b;
    } else if ((IS_INF(a) || IS_INF(b)) && IS_FINITE(c) && IS_FINITE(d)) {
      a = UNIT(long double, a);
      b = UNIT(long double, b);
      x = (long double)INFINITE * (a * c + b * d);
      y = (long double)INFINITE * (b * c - a * d);
    } else if ((IS_INF(c) || IS_INF(d)) && IS_FINITE(a) && IS_FINITE(b)) {
      c = UNIT(long double, c);
      d = UNIT(long double, d);
      x = 0 * (a * c + b * d);
      y = 0 * (b * c - a * d);
    }
  }
  return PAIR(long double _Complex, x, y);
}
