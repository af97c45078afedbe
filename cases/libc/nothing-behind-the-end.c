// case: libc/nothing-behind-the-end
// models: a stream at its end gives no character
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  if (getchar() == EOF && feof(stdin)) assert(getchar() == EOF);
  return 0;
}
