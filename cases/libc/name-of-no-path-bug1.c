// case: libc/name-of-no-path-bug1
// models: GNU basename reads the path
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 10
#define _GNU_SOURCE
#include <string.h>
int main(void) {
  return basename(NULL) == NULL;
}
