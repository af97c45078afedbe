// case: libc/any-number-as-a-letter
// models: characters of any sign, and the end of the input
// target: lp64
// property: memsafety
// verdict: safe
#include <stdio.h>
extern int isalpha(int);
extern int toupper(int);
int main(int argc, char **argv) {
  int c = getchar(), count = 0;
  for (char *at = argv[0]; *at; at++)
    count += isalpha(*at) != 0 && isalpha((unsigned char)*at) != 0;
  return count + (isalpha(c) != 0) + (toupper(c) == 'A');
}
