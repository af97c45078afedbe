// case: libc/character-given-back
// models: ungetc gives a character back
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  if (ungetc('a', stdin) == 'a') {
    assert(getchar() == 'a');
  }
  return 0;
}
