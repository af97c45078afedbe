// case: wrong/main-through-a-pointer
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
char *p;
int depth;
__attribute__((constructor)) static void make(void) { p = malloc(1); }
int main(void) {
  int (*again)(void) = main;
  if (depth++ == 0)
    return again();
  free(p);
  return 0;
}
