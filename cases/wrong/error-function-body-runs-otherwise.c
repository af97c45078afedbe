// case: wrong/error-function-body-runs-otherwise
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 13
#include <stdlib.h>
int *p;
void reach_error(void) { p = 0; }
int main(void) {
  int x = 1;
  p = &x;
  reach_error();
  return *p;
}
