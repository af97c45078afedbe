// case: libc/division-with-rest
// models: div and its relatives return both parts
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <strings.h>

int main(void) {
  div_t d = div(-7, 2);
  ldiv_t l = ldiv(100000L, 7L);
  lldiv_t ll = lldiv(1LL << 40, 3);
  assert(d.quot == -3 && d.rem == -1);
  assert(l.quot == 14285 && l.rem == 5);
  assert(ll.quot * 3 + ll.rem == 1LL << 40);
  assert(ffs(0) == 0 && ffs(12) == 3);
  return 0;
}
