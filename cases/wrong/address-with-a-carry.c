// case: wrong/address-with-a-carry
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 19
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int rare(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x > 1000 && y > 1000 && x < 30000 && y < 30000 && x * y == 12338631;
}
int main(void) {
  char *p = malloc(8);
  unsigned __int128 x = (unsigned long)p;
  __int128 s = (__int128)(long)p;
  unsigned __int128 y = x - 1 - (unsigned long)p;
  int wraps = y > x && s != 0;
  if (wraps && rare())
    p[9] = 1;
  free(p);
  return 0;
}
