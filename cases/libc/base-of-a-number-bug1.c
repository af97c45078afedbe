// case: libc/base-of-a-number-bug1
// models: strtol of glibc stores no end if the base is none
// target: lp64
// property: memsafety
// verdict: unsafe
// error: wild-deref line 11
#include <stdlib.h>
int main(void) {
  char *end;
  strtol("12", &end, 1);
  return *end;
}
