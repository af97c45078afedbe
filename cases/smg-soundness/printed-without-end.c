// case: smg-soundness/printed-without-end
// models: the string of a conversion behind others has to end
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 17

#include <stdio.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
  char good[4] = "abc", bad[3];
  for (int i = 0; i < 3; i++)
    bad[i] = __VERIFIER_nondet_char();
  printf("%d%% of %s\n", 50, good);
  printf("%-8s %lu%% %s\n", good, 50ul, bad);
  return 0;
}
