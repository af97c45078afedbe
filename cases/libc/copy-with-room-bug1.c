// case: libc/copy-with-room-bug1
// models: strlcpy is given more room than there is
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 12
#include <string.h>
size_t strlcpy(char *, const char *, size_t);

int main(void) {
  char text[4];
  return (int)strlcpy(text, "abcdef", 8);
}
