// case: libc/numbers-of-lrand48
// models: POSIX says which numbers lrand48 and its relatives return
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
  srand48(1);
  assert(lrand48() == 89400484);
  assert(mrand48() == 1952030186);
  double fraction = drand48();
  assert(fraction > 0.834817 - 0.00001 && fraction < 0.834817 + 0.00001);
  unsigned short state[3] = {1, 2, 3};
  assert(nrand48(state) == 949179875);
  return 0;
}
