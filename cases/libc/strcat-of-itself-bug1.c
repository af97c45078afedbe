// case: libc/strcat-of-itself-bug1
// models: a string is not appended to itself
// target: lp64
// property: memsafety
// verdict: unsafe
// error: overlapping-copy line 10
#include <string.h>
int main(void) {
  char text[16] = "ab";
  strcat(text, text);
  return text[0];
}
