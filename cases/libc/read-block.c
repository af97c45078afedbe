// case: libc/read-block
// models: read stores at most as many bytes as it is told
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char *block = malloc(100);
  ssize_t count = read(0, block, 100);
  if (count > 0)
    block[count - 1] = 0;
  free(block);
  return 0;
}
