// case: libc/no-path-to-resolve
// models: realpath of no path fails
// target: lp64
// property: memsafety
// verdict: safe
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
int main(void) {
  char area[PATH_MAX];
  return realpath(NULL, area) != NULL;
}
