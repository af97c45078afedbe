// case: lang/jump-to-a-returned-call-bug1
// models: a jump to a call of a function that has returned
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 14
#include <setjmp.h>
static jmp_buf env;
static int mark(void) {
  return setjmp(env);
}
int main(void) {
  if (mark() == 0)
    longjmp(env, 1);
  return 0;
}
