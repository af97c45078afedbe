// case: libc/no-line-has-a-reason
// models: after a line that could not be read a stream is at its end or has an error
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  char line[10];
  if (!fgets(line, 10, stdin)) assert(feof(stdin) || ferror(stdin));
  return 0;
}
