// case: wrong/freed-pointer-equal
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
int main(void) { char *p = malloc(8); unsigned long a = (unsigned long)p; free(p); char *q = malloc(8); int s = a == (unsigned long)q; free(q); if (!s && rare()) return z[1]; if (s && rare()) return z[1]; return 0; }
