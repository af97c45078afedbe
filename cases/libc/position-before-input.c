// case: libc/position-before-input
// models: %n takes no input and cannot fail
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  int position = 5;
  assert(scanf("%n", &position) == 0 && position == 0);
  return 0;
}
