// case: libc/name-of-a-new-file
// models: mkstemp replaces the last six characters
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

#include <stdlib.h>
int main(void) {
  char name[] = "/tmp/XXXXXX";
  mkstemp(name);
  assert(name[0] == '/');
  return 0;
}
