// case: libc/block-at-a-page
// models: valloc gives a block at the start of a page
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

#include <stdint.h>
#include <stdlib.h>
extern void *valloc(size_t size);
int main(void) {
  void *block = valloc(10);
  assert(((uintptr_t)block & 4095) == 0);
  free(block);
  return 0;
}
