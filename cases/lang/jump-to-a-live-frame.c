// case: lang/jump-to-a-live-frame
// models: `longjmp` out of a recursion, to a frame whose variable is volatile
// target: lp64
// property: memsafety
// verdict: safe
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf env;
static void inner(int n, char *p) {
  char local[8];
  local[n & 7] = 1;
  if (n == 0) {
    free(p);
    longjmp(env, 0);
  }
  inner(n - 1, p);
}
int main(void) {
  volatile int tries = 0;
  int code = setjmp(env);
  if (code == 0) {
    char *p = malloc(4);
    tries++;
    inner(5, p);
    abort();
  }
  if (code != 1 || tries != 1) {
    *(volatile char *)0 = 1;
  }
  return 0;
}
