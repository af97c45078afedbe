// case: libc/scanf-of-text-bug1
// models: scanf without conversions gives -1 at the end of the input
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 11
#include <assert.h>
#include <stdio.h>
int main(void) {
  int count = scanf("begin");
  assert(count == 0);
  return 0;
}
