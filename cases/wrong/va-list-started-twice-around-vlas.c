// case: wrong/va-list-started-twice-around-vlas
// target: ilp32
// property: memsafety
// verdict: safe
#include <stdarg.h>
#include <stdlib.h>
static int sum(int n, ...) {
  va_list ap, aq;
  int s = 0;
  for (int i = 0; i < 2; i++) {
    int v[n];
    v[n - 1] = 0;
    va_start(ap, n);
    va_copy(aq, ap);
    s += v[n - 1];
  }
  for (int i = 0; i < n; i++)
    s += *va_arg(ap, int *);
  s += *va_arg(aq, int *);
  va_end(aq);
  va_end(ap);
  return s;
}
int main(void) {
  int *p = malloc(sizeof *p), x = 2;
  *p = 1;
  int s = sum(2, p, &x);
  free(p);
  return s - 4;
}
