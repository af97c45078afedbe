// case: wrong/error-function-through-a-pointer
// target: lp64
// property: unreach-call
// verdict: unsafe
// error: assertion-failure line 10
#include <stdlib.h>
void reach_error(void) { exit(1); }
int main(void) {
  void (*f)(void) = reach_error;
  f();
  return 0;
}
