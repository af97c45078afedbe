// case: libc/position-after-input
// models: a number has at least one character
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  int number, position = 1;
  scanf("%d%n", &number, &position);
  assert(position > 0);
  return 0;
}
