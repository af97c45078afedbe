// case: libc/paths-from-the-root
// models: paths that getcwd and realpath give begin at the root
// target: lp64
// property: assertions
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char area[100];
  if (getcwd(area, 100)) assert(area[0] == '/');
  char *path = realpath(".", NULL);
  if (path) assert(path[0] == '/');
  free(path);
  return 0;
}
