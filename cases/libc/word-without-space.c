// case: libc/word-without-space
// models: %s takes no white space
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  char word[2];
  if (scanf("%1s", word) == 1) assert(word[0] != ' ');
  return 0;
}
