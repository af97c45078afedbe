// case: libc/error-number
// models: a call may change errno
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 12
#include <errno.h>
#include <stdlib.h>
int main(void) {
  int a[1] = {0};
  errno = 0;
  return strtol("99999999999999999999", NULL, 10) != 0 ? a[errno != 0] : 0;
}
