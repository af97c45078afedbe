// case: libc/sprintf-number-bug1
// models: the longest int has eleven characters
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 11
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char text[8];
  sprintf(text, "%d", __VERIFIER_nondet_int());
  return 0;
}
