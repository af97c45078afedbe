// case: libc/line-is-not-empty
// models: a line that getline gives has at least one character
// target: lp64
// property: memsafety
// verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, stdin)) != -1)
    if (line[length - 1] == '\n') line[length - 1] = 0;
  free(line);
  return 0;
}
