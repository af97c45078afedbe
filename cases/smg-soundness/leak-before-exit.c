// case: smg-soundness/leak-before-exit
// models: a block is lost right before the program ends
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 13

#include <stdlib.h>

int main(void) {
  char *block = malloc(4);
  /* nothing holds the block any more */
  block = NULL;
  exit(0);
}
