// case: libc/directory-in-a-new-block
// models: a new block of getcwd has the size that is asked for, and the path fits
// target: lp64
// property: memsafety
// verdict: safe
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char copy[10];
  char *path = getcwd(NULL, 10);
  if (path) {
    path[9] = 0;
    strcpy(copy, path);
    free(path);
  }
  return 0;
}
