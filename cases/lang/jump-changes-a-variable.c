// case: lang/jump-changes-a-variable
// models: C leaves open what a variable holds after a jump if it changed and is not volatile
// target: lp64
// property: memsafety
// verdict: unknown
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf env;
int main(void) {
  char *p = 0;
  if (setjmp(env) == 0) {
    p = malloc(4);
    longjmp(env, 1);
  }
  free(p);
  return 0;
}
