// case: smg-soundness/copy-of-unknown-length
// models: how much of a string is copied depends on a number that is not known
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 17

#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned limit = __VERIFIER_nondet_uint();
  char *copy = strndup("abcdef", limit);
  /* the block is as long as the limit allows */
  copy[6] = '\0';
  free(copy);
  return 0;
}
