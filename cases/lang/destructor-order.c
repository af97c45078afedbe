// case: lang/destructor-order
// models: destructors run after what `atexit` was given, those without a priority first
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
static char *p;
__attribute__((destructor(200))) static void very_last(void) {
  if (p)
    *(volatile char *)0 = 1;
}
__attribute__((destructor)) static void last(void) {
  free(p);
  p = NULL;
}
__attribute__((constructor)) static void first(void) {
  p = malloc(3);
}
static void at_exit(void) {
  p[1] = 1;
}
int main(void) {
  atexit(at_exit);
  p[0] = 0;
  return 0;
}
