// case: smg-soundness/filled-behind-the-least-size
// models: a block whose size is a number that is known better later is filled
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 20

#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  size_t size = __VERIFIER_nondet_uint();
  char *block = malloc(size);
  if (size >= 10 && size < 100) {
    block[5] = 1;
    memset(block, 2, size);
    assert(block[5] == 1);
  }
  free(block);
  return 0;
}
