// case: libc/arguments-without-an-end-bug1
// models: the arguments of a program end with a null pointer
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 10
#include <unistd.h>
int main(void) {
  char *arguments[2] = {"true", "x"};
  execv("/bin/true", arguments);
  return 0;
}
