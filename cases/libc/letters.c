// case: libc/letters
// models: the tables of ctype.h have entries for -128 to 255
// target: lp64
// property: memsafety
// verdict: safe
#include <ctype.h>
#include <stdio.h>
int main(void) {
  int c = getchar();
  return isalpha(c) != 0;
}
