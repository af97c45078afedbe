// case: libc/scanf-word-bug1
// models: %Ns stores N characters and a NUL, %s any number
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 12
#include <stdio.h>
#include <string.h>
int main(void) {
  char word[8];
  int number;
  if (scanf("%8s %d", word, &number) == 2)
    return strlen(word) > 7;
  return 0;
}
