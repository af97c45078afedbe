// case: wrong/sign-extended-heap-address
// target: ilp32
// property: memsafety
// verdict: safe
#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  long long a = (int)p;
  unsigned long long b = (unsigned)p;
  if ((unsigned)a != (unsigned)b)
    p[4] = 1;
  free(p);
  return 0;
}
