// case: wrong/address-kept-in-64-bits
// target: ilp32
// property: memsafety
// verdict: safe
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  unsigned long long n = (unsigned long)p;
  n += 0;
  int *q = (int *)(unsigned long)n;
  *q = 1;
  free(q);
  return 0;
}
