// case: libc/argv-copy
// models: argv has argc strings of any length
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc < 2)
    return 0;
  char *copy = malloc(strlen(argv[1]) + 1);
  strcpy(copy, argv[1]);
  free(copy);
  return 0;
}
