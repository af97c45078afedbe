// case: libc/token-before-string-bug1
// models: strtok has no string yet
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 9
#include <string.h>
int main(void) {
  return strtok(NULL, ",") == NULL;
}
