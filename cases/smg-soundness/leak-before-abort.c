// case: smg-soundness/leak-before-abort
// models: a block is lost right before the program is aborted by a function
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 15

#include <stdlib.h>

static void stop(void) { abort(); }

int main(void) {
  char **block = malloc(sizeof *block);
  *block = malloc(4);
  *block = NULL;
  free(block);
  stop();
}
