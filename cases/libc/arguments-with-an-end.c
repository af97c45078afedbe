// case: libc/arguments-with-an-end
// models: the arguments of a program end with a null pointer
// target: lp64
// property: memsafety
// verdict: safe
#include <stddef.h>
#include <unistd.h>
int main(void) {
  char *arguments[3] = {"true", "x", NULL};
  execv("/bin/true", arguments);
  return 0;
}
