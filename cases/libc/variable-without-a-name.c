// case: libc/variable-without-a-name
// models: there is no variable without a name
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

#include <stdlib.h>
int main(void) {
  assert(getenv("") == NULL);
  return 0;
}
