// case: lang/jump-to-a-live-frame-bug1
// models: a frame that a jump ends held the only pointer to a block
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 11
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf env;
static void fail(void) {
  longjmp(env, 1);
}
static void work(void) {
  char *p = malloc(4);
  fail();
  free(p);
}
int main(void) {
  if (setjmp(env) == 0)
    work();
  return 0;
}
