// case: libc/place-in-a-string
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char *name = strrchr(argv[0], '/');
  name = name ? name + 1 : argv[0];
  char *end;
  long number = strtol(argv[0], &end, 10);
  char *found = strstr(argv[0], "ab");
  return name[0] + end[0] + (found ? found[0] : 0) + (number > 0);
}
