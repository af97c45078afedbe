// case: libc/stream-life-bug1
// models: a stream is there from fopen to fclose
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 15
// also: double-free line 15
#include <stdio.h>
int main(void) {
  FILE *file = fopen("/dev/null", "w");
  if (file == NULL)
    return 0;
  fputs("x", file);
  fclose(file);
  fclose(file);
  return 0;
}
