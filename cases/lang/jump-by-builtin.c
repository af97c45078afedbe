// case: lang/jump-by-builtin
// models: `__builtin_setjmp` and `__builtin_longjmp`, from several places
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
static void *buffer[5];
static void leave(void) {
  __builtin_longjmp(buffer, 1);
}
int main(void) {
  char *volatile p = malloc(1);
  if (__builtin_setjmp(buffer)) {
    free(p);
    return 0;
  }
  *p = 1;
  leave();
  return *p;
}
