// case: smg-soundness/copy-behind-the-least-size
// models: a copy of unknown length changes bytes behind the least size of its target
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 18

#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
char src[100];
int main(void) {
  size_t n = __VERIFIER_nondet_uint();
  char *p = malloc(n), *q = 0;
  if (n >= 10 && n < 50) {
    p[5] = 1;
    memcpy(p, src, n);
    if (p[5] != 1) *q = 1;
  }
  free(p);
  return 0;
}
