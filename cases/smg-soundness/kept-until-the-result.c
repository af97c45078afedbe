// case: smg-soundness/kept-until-the-result
// models: a variable holds its block while the call whose result it gets ends the program
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>

static char *stop(void) { exit(0); }

int main(void) {
  char *block = malloc(4);
  block = stop();
  free(block);
  return 0;
}
