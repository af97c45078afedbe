// case: libc/answers-after-input-bug1
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 11
#include <stdio.h>
int main(void) {
  int t[1] = {0};
  int before = feof(stdin) != 0;
  getchar();
  return t[before != (feof(stdin) != 0)];
}
