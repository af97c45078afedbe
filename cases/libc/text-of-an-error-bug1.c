// case: libc/text-of-an-error-bug1
// models: the text of strerror may not be written
// target: lp64
// property: memsafety
// verdict: unsafe
// error: readonly-write line 10
#include <string.h>
int main(void) {
  char *text = strerror(2);
  text[0] = 'x';
  return 0;
}
