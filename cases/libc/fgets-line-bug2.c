// case: libc/fgets-line-bug2
// models: a line of input has a length that strlen gives again and again
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 15
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char line[32];
  if (fgets(line, sizeof line, stdin) == NULL)
    return 0;
  char *copy = malloc(strlen(line));
  strcpy(copy, line);
  free(copy);
  return 0;
}
