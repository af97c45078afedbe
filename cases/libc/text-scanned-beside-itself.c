// case: libc/text-scanned-beside-itself
// models: sscanf writes beside the string that it reads
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[20] = "one two";
  int x = 0, y = 0;
  assert(sscanf(text, "%*s %s", text + 8) == 1);
  assert(strcmp(text + 8, "two") == 0);
  assert(sscanf("3x4", "%dx%d", &x, &y) == 2 && x == 3 && y == 4);
  return 0;
}
