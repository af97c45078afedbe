// case: libc/descriptor-of-standard-input
// models: the descriptor of standard input is 0
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

#include <stdio.h>
int main(void) {
  assert(fileno(stdin) == 0);
  return 0;
}
