// case: libc/parts-of-a-number
// models: frexp, modf, ldexp and their relatives are exact
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <math.h>

int main(void) {
  volatile double x = -12.75;
  int exponent, quotient;
  double whole;
  assert(frexp(x, &exponent) == -0.796875 && exponent == 4);
  assert(modf(x, &whole) == -0.75 && whole == -12.0);
  assert(ldexp(x, 3) == -102.0 && scalbn(x, -2) == -3.1875);
  assert(lround(x) == -13 && lrint(2.5) == 2 && llround(-0.5) == -1);
  assert(ilogb(x) == 3 && logb(x) == 3.0);
  assert(remainder(7.0, 4.0) == -1.0 && remquo(7.0, 4.0, &quotient) == -1.0 && (quotient & 7) == 2);
  assert(nextafter(1.0, 2.0) == 1.0 + 0x1p-52 && fdim(3.0, 5.0) == 0.0);
  assert(fma(0x1p27 + 1, 0x1p27 - 1, -0x1p54) == -1.0);
  return 0;
}
