// case: libc/no-character-has-a-reason
// models: after a character that could not be read a stream is at its end or has an error
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  if (getchar() == EOF) assert(feof(stdin) || ferror(stdin));
  return 0;
}
