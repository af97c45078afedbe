// case: libc/argv-copy-bug1
// models: argv has argc strings of any length
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 13
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc < 2)
    return 0;
  char *copy = malloc(strlen(argv[1]));
  strcpy(copy, argv[1]);
  free(copy);
  return 0;
}
