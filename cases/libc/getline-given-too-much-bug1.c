// case: libc/getline-given-too-much-bug1
// models: getline relies on the size that it is given
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 12
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  size_t room = 64;
  char *line = malloc(4);
  getline(&line, &room, stdin);
  free(line);
  return 0;
}
