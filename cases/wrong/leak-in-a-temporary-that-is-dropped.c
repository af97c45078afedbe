// case: wrong/leak-in-a-temporary-that-is-dropped
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 12
#include <stdlib.h>
struct S { long k; char *p; long b, c; };
static struct S mk(void) { struct S s = {1, malloc(4), 2, 3}; return s; }
int main(void) {
  int n = 0;
  for (int i = 0; i < 2; i++)
    n += mk().k;
  while (n)
    n--;
  abort();
}
