// case: libc/copy-with-room
// models: strlcpy and strlcat stay within the size
// target: lp64
// property: memsafety
// verdict: safe
#define _GNU_SOURCE
#include <string.h>
size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);

int main(void) {
  char text[8], other[4] = "xyz";
  if (strlcpy(text, "abc", sizeof text) != 3)
    return 1;
  if (strlcat(text, "defghij", sizeof text) != 10 || strlen(text) != 7)
    return 1;
  if (!memccpy(other, "a,b", ',', sizeof other) || other[2] != 'z')
    return 1;
  return memmem("haystack", 8, "st", 2) ? 0 : 1;
}
