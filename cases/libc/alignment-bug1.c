// case: libc/alignment-bug1
// models: posix_memalign fails for an alignment that is no power of two
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 11
#include <stdlib.h>
int main(void) {
  void *block = NULL;
  posix_memalign(&block, 24, 8);
  *(char *)block = 1;
  free(block);
  return 0;
}
