// case: libc/signal-to-itself-bug1
// models: the handler frees what is freed again
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 17
#include <signal.h>
#include <stdlib.h>

static char *block;
static void handle(int number) { (void)number; free(block); }

int main(void) {
  block = malloc(4);
  signal(SIGTERM, handle);
  raise(SIGTERM);
  free(block);
  return 0;
}
