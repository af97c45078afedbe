// case: wrong/zero-size-equal
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14
extern int __VERIFIER_nondet_int(void);
static int rare(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x > 1000 && y > 1000 && x < 30000 && y < 30000 && x * y == 12338631;
}

#include <stdlib.h>
int z[1];
int main(void) { char *p = malloc(0), *q = malloc(0); int e = p != q; free(p); free(q); if (e && rare()) return z[1]; return 0; }
