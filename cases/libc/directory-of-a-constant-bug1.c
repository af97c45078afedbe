// case: libc/directory-of-a-constant-bug1
// models: dirname cuts the path off, which is a constant
// target: lp64
// property: memsafety
// verdict: unsafe
// error: readonly-write line 10
#include <libgen.h>

int main(void) {
  return *dirname((char *)"usr/lib");
}
