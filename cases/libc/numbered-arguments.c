// case: libc/numbered-arguments
// models: arguments of a format may have numbers
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[32];
  snprintf(text, sizeof text, "%2$s %1$d %3$*1$d", 3, "x", 7);
  assert(strcmp(text, "x 3   7") == 0);
  return 0;
}
