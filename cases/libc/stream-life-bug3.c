// case: libc/stream-life-bug3
// models: a stream is there from fopen to fclose
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 13
#include <stdio.h>
int main(void) {
  FILE *file = fopen("/dev/null", "w");
  if (file == NULL)
    return 0;
  fclose(file);
  fputs("x", file);
  return 0;
}
