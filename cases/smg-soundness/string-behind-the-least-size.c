// case: smg-soundness/string-behind-the-least-size
// models: a string without end in a block whose size is a number that is known better later
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 19

#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  size_t size = __VERIFIER_nondet_uint();
  char *block = malloc(size);
  unsigned length = 0;
  if (size >= 10 && size < 100) {
    memset(block, 1, size);
    length = strlen(block + 5);
  }
  free(block);
  return length == 1000;
}
