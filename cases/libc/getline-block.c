// case: libc/getline-block
// models: getline allocates, also at the end of the input
// target: lp64
// property: memsafety
// verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
int main(void) {
  char *line = NULL;
  size_t size = 0;
  ssize_t length = getline(&line, &size, stdin);
  if (length > 0)
    line[length - 1] = 0;
  free(line);
  return 0;
}
