// case: libc/parts-of-a-number-bug1
// models: the exponent is no index
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 13
#include <math.h>

int main(void) {
  int counts[4] = {0}, exponent;
  volatile double x = 12.75;
  frexp(x, &exponent);
  counts[exponent] = 1;
  return counts[0];
}
