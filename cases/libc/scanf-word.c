// case: libc/scanf-word
// models: %Ns stores N characters and a NUL, %s any number
// target: lp64
// property: memsafety
// verdict: safe
#include <stdio.h>
#include <string.h>
int main(void) {
  char word[8];
  int number;
  if (scanf("%7s %d", word, &number) == 2)
    return strlen(word) > 7;
  return 0;
}
