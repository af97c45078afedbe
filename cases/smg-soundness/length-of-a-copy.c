// case: smg-soundness/length-of-a-copy
// models: a string is at most as long as the bytes before a sure NUL, but it may be shorter
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 20

#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
  char name[6];
  for (int i = 0; i < 5; i++)
    name[i] = __VERIFIER_nondet_char();
  name[5] = '\0';
  char *copy = strdup(name);
  /* only one byte is sure to be there */
  copy[strlen("abcd")] = '\0';
  free(copy);
  return 0;
}
