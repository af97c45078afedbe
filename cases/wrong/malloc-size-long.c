// case: wrong/malloc-size-long
// target: ilp32
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 13
extern int __VERIFIER_nondet_int(void);
static int rare(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x > 1000 && y > 1000 && x < 30000 && y < 30000 && x * y == 12338631;
}

#include <stdlib.h>
int main(void) { long long n = 0x100000004LL; char *p = malloc(n); p[3] = 0; if (rare()) p[4] = 0; free(p); return 0; }
