// case: wrong/const-local-by-memset
// target: lp64
// property: memsafety
// verdict: unsafe
// error: readonly-write line 10
#include <string.h>
int main(void) {
  const char a[4] = "abc";
  const int n = 2;
  memset((char *)a, n, 2);
  return a[0];
}
