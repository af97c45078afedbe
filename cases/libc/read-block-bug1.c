// case: libc/read-block-bug1
// models: read stores at most as many bytes as it is told
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 13
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char *block = malloc(100);
  ssize_t count = read(0, block, 100);
  if (count > 0)
    block[count] = 0;
  free(block);
  return 0;
}
