// case: libc/too-few-items-have-a-reason
// models: after items that could not be read a stream is at its end or has an error
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  char area[10];
  if (fread(area, 1, 10, stdin) < 10) assert(feof(stdin) || ferror(stdin));
  return 0;
}
