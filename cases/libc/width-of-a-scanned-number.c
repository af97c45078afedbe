// case: libc/width-of-a-scanned-number
// models: a number of one character is a digit
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  int number;
  if (scanf("%1d", &number) == 1) assert(number >= 0 && number <= 9);
  return 0;
}
