// case: smg-soundness/exit-below-the-owner
// models: a function ends the program while its caller owns a block
// target: lp64
// property: memcleanup
// verdict: unsafe
// error: leak line 10

#include <stdlib.h>

static void stop(void) { exit(0); }

int main(void) {
  char *block = malloc(4);
  stop();
  free(block);
  return 0;
}
