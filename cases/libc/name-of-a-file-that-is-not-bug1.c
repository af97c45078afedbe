// case: libc/name-of-a-file-that-is-not-bug1
// models: tmpnam writes a whole name
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 11
#include <stdio.h>

int main(void) {
  char name[8];
  return tmpnam(name) != name;
}
