// case: libc/second-of-two-descriptors
// models: dup2 gives its second argument or -1
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

#include <unistd.h>
int main(void) {
  int copy = dup2(1, 5);
  assert(copy == 5 || copy == -1);
  assert(dup2(1, -7) == -1);
  return 0;
}
