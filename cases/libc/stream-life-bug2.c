// case: libc/stream-life-bug2
// models: a stream is there from fopen to fclose
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 10
#include <stdio.h>
int main(void) {
  FILE *file = fopen("/dev/null", "w");
  fputs("x", file);
  fclose(file);
  return 0;
}
