// case: lang/jump-to-a-live-frame-bug2
// models: after a jump the variables of the frames above are gone
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 18
#include <setjmp.h>
static jmp_buf env;
static int *kept;
static void work(void) {
  int local = 1;
  kept = &local;
  longjmp(env, 1);
}
int main(void) {
  if (setjmp(env) == 0)
    work();
  return *kept;
}
