// case: libc/characters-of-a-set
// models: %[ takes characters of its set only
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  char digit[2];
  if (scanf("%1[0-9]", digit) == 1) assert(digit[0] >= '0' && digit[0] <= '9');
  return 0;
}
