// case: libc/name-without-places
// models: mkstemp fails if there are not six places in the name
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char name[] = "abcXXX";
  assert(mkstemp(name) == -1);
  assert(strcmp(name, "abcXXX") == 0);
  return 0;
}
