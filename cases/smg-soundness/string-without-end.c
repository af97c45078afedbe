// case: smg-soundness/string-without-end
// models: strncpy ends a string only if there is room for the NUL
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 23

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char name[8];
  for (int i = 0; i < 7; i++)
    name[i] = __VERIFIER_nondet_int() ? __VERIFIER_nondet_char() : 'a';
  name[7] = '\0';
  char *copy = malloc(6);
  strncpy(copy, name, 6);
  if (__VERIFIER_nondet_int())
    copy[5] = 'x';
  size_t len = strlen(copy);
  free(copy);
  return (int)len;
}
