// case: libc/getline-block-bug3
// models: at the end of the input getline gives a block in which there is no NUL
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 17
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
int main(void) {
  char *line = NULL;
  size_t size = 0, length = 0;
  if (getline(&line, &size, stdin) < 0)
    /* nothing was read */
    length = strlen(line);
  free(line);
  return length > 3;
}
