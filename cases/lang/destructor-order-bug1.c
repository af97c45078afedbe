// case: lang/destructor-order-bug1
// models: a destructor frees what a function given to `atexit` has freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 10
#include <stdlib.h>
static char *p;
__attribute__((destructor)) static void last(void) {
  free(p);
}
static void at_exit(void) {
  free(p);
}
int main(void) {
  p = malloc(3);
  atexit(at_exit);
  return 0;
}
