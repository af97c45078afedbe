// case: wrong/address-sum-of-halves
// target: ilp32
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 21
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int rare(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x > 1000 && y > 1000 && x < 30000 && y < 30000 && x * y == 12338631;
}
struct n { unsigned a; };
int main(void) {
  struct n *h = malloc(sizeof *h);
  char c[4] = {0};
  h->a = (unsigned)c;
  for (int i = 0; i < 4; i++)
    h->a += 0x40000000u;
  int bad = h->a == (unsigned)c && rare();
  free(h);
  return bad ? c[4] : 0;
}
