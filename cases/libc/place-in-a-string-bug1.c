// case: libc/place-in-a-string-bug1
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 10
#include <stdlib.h>
int main(int argc, char **argv) {
  char *end;
  strtol(argv[0], &end, 10);
  return end[1];
}
