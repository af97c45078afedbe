// case: libc/variable-that-was-set
// models: getenv gives what setenv set
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  if (setenv("MODE", "fast", 1) == 0) {
    const char *mode = getenv("MODE");
    assert(mode != NULL);
    assert(strcmp(mode, "fast") == 0);
  }
  return 0;
}
