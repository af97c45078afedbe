// case: smg-soundness/state-of-rand
// models: rand_r uses the memory of its caller
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 12

#include <stdlib.h>

int main(void) {
  /* the state has to be somewhere */
  return rand_r(NULL) < 0;
}
