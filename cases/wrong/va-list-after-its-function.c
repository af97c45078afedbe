// case: wrong/va-list-after-its-function
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 11
#include <stdarg.h>
static va_list kept;
static void f(int n, ...) { va_start(kept, n); }
int main(void) {
  f(1, 2);
  return va_arg(kept, int);
}
