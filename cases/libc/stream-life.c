// case: libc/stream-life
// models: a stream is there from fopen to fclose
// target: lp64
// property: memsafety
// verdict: safe
#include <stdio.h>
int main(void) {
  FILE *file = fopen("/dev/null", "w");
  if (file == NULL)
    return 0;
  fputs("x", file);
  fclose(file);
  return 0;
}
