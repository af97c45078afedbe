// case: wrong/uninitialised-in-a-block-jumped-into
// target: ilp32
// property: memsafety
// verdict: unsafe
// error: wild-deref line 18
#include <stdlib.h>
int main(void) {
  int i = 0, *q = malloc(4);
  for (;;) {
    if (i == 0)
      goto in;
    {
      struct { int *p; } s;
      if (i > 5) {
in:
        s.p = q;
      }
      *s.p = 1;
    }
    i++;
    if (i > 1)
      break;
  }
  free(q);
  return 0;
}
