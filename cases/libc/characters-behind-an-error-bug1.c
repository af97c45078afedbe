// case: libc/characters-behind-an-error-bug1
// models: a stream with an error may give a character
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 11
#include <assert.h>
#include <stdio.h>

int main(void) {
  if (getchar() == EOF && ferror(stdin)) assert(getchar() == EOF);
  return 0;
}
