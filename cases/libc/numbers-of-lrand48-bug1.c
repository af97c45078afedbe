// case: libc/numbers-of-lrand48-bug1
// models: the second number is greater than the array has elements
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 13
#include <stdlib.h>

int main(void) {
  int hits[12] = {0};
  srand48(7);
  for (int i = 0; i < 200; i++)
    hits[lrand48() % 13]++;
  return hits[0];
}
