// case: libc/base-of-a-number
// models: bases of numbers
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int main(int argc, char **argv) {
  char *end;
  long number = strtol(argv[0], &end, 10) + strtol("0x1f", NULL, 0);
  return *end != 0 && number + (long)strtoul(end, &end, 36) > argc && *end;
}
