// case: libc/argv-copy-bug2
// models: argv has argc strings of any length
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 10
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char *copy = malloc(strlen(argv[1]) + 1);
  strcpy(copy, argv[1]);
  free(copy);
  return 0;
}
