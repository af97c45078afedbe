// case: libc/alignment
// models: alignments that are powers of two
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int main(void) {
  void *block = NULL;
  if (posix_memalign(&block, 64, 8))
    return 1;
  char *other = aligned_alloc(16, 32);
  *(char *)block = other[31] = 1;
  free(block);
  free(other);
  return 0;
}
