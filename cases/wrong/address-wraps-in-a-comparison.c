// case: wrong/address-wraps-in-a-comparison
// target: ilp32
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 18
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int rare(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x > 1000 && y > 1000 && x < 30000 && y < 30000 && x * y == 12338631;
}
int main(void) {
  char *p = malloc(16);
  char *q = p + 0x7fffffff;
  q += 0x7fffffff;
  q += 2;
  if (p == q && rare())
    p[16] = 1;
  free(p);
  return 0;
}
