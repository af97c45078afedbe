// case: libc/long-numbers
// models: a long double has more digits than a double
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[64];
  volatile long double x = -0.1L, two = 2.0L;
  assert(fabsl(x) == 0.1L && floorl(x) == -1.0L && copysignl(3.0L, x) == -3.0L);
  assert(fmodl(1.0L, 0.1L) != fmod(1.0, 0.1));
  assert(sqrtl(two) * sqrtl(two) - two < 1e-18L && sqrtl(two) != (long double)sqrt(2.0));
  snprintf(text, sizeof text, "%.0Lf %La", 9007199254740993.0L, 1.0L);
  assert(strcmp(text, "9007199254740993 0x8p-3") == 0);
  snprintf(text, sizeof text, "%.25Lg", x);
  assert(strcmp(text, "-0.1000000000000000000013553") == 0);
  return 0;
}
