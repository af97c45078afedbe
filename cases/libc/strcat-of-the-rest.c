// case: libc/strcat-of-the-rest
// models: strings in one block that do not overlap are appended
// target: lp64
// property: memsafety
// verdict: safe
#include <string.h>
int main(void) {
  char text[16] = "ab";
  memcpy(text + 8, "cd", 3);
  strcat(text, text + 8);
  return text[3];
}
