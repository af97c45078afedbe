// case: libc/descriptors-of-open-streams
// models: open streams have descriptors, each another one
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *a = fopen("a", "r"), *b = fopen("b", "r");
  if (a && b) {
    assert(fileno(a) >= 0);
    assert(fileno(a) != fileno(b));
  }
  if (a)
    fclose(a);
  if (b)
    fclose(b);
  return 0;
}
