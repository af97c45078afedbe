// case: libc/stream-left-open
// models: a stream that is not closed is no heap block that is lost: the library still knows it
// target: lp64
// property: memsafety
// verdict: safe
#include <stdio.h>
int main(void) {
  FILE *file = fopen("/dev/null", "r");
  if (file == NULL)
    return 0;
  return fgetc(file) == 7;
}
