// case: libc/closing-no-descriptor
// models: a negative number is no descriptor
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

#include <unistd.h>
int main(void) {
  assert(close(-1) == -1);
  return 0;
}
