// case: libc/line-of-two-bytes
// models: fgets that gives a line has read a character
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  char line[2] = {'z', 'y'};
  if (fgets(line, 2, stdin)) assert(line[1] == 0);
  return 0;
}
