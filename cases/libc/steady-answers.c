// case: libc/steady-answers
// models: the environment gives the same answer to the same question
// target: lp64
// property: memsafety
// verdict: safe
#include <stdio.h>
#include <unistd.h>
int main(void) {
  int a[1] = {0};
  int x = a[isatty(0) != isatty(0)];
  int y = a[getpid() != getpid()];
  int z = a[ferror(stdin) != ferror(stdin)];
  return x + y + z;
}
