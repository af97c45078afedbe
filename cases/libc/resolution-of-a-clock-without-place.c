// case: libc/resolution-of-a-clock-without-place
// models: clock_getres may be given no place for its answer
// target: lp64
// property: memsafety
// verdict: safe
#define _GNU_SOURCE
#include <time.h>
int main(void) {
  clock_getres(CLOCK_REALTIME, NULL);
  return 0;
}
