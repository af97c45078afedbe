// case: smg-soundness/copied-behind-the-least-size
// models: a block whose size is a number that is known better later is written over
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 22

#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

static char source[100];

int main(void) {
  size_t size = __VERIFIER_nondet_uint();
  char *block = malloc(size);
  if (size >= 10 && size < 100) {
    block[5] = 1;
    memcpy(block, source, size);
    assert(block[5] == 1);
  }
  free(block);
  return 0;
}
