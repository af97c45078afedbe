// case: libc/letters-bug1
// models: the tables of ctype.h have entries for -128 to 255
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 11
#include <ctype.h>
#include <stdio.h>
int main(void) {
  int c = getchar();
  return isalpha(c + 1) != 0;
}
