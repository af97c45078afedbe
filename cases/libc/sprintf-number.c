// case: libc/sprintf-number
// models: the longest int has eleven characters
// target: lp64
// property: memsafety
// verdict: safe
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char text[14];
  sprintf(text, "%d", __VERIFIER_nondet_int());
  return 0;
}
