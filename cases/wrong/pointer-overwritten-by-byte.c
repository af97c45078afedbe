// case: wrong/pointer-overwritten-by-byte
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 13
extern int __VERIFIER_nondet_int(void);
static int rare(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x > 1000 && y > 1000 && x < 30000 && y < 30000 && x * y == 12338631;
}

#include <stdlib.h>
int main(void) { char *p = malloc(64); char *q = p; ((unsigned char *)&q)[0] |= 0x10; if (q != p && rare()) p[64] = 1; free(p); return 0; }
