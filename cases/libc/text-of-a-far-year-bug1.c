// case: libc/text-of-a-far-year-bug1
// models: the text of a time may have more than 26 bytes
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 14
#include <string.h>
#include <time.h>
int main(void) {
  char text[26];
  time_t far = 253402300800 + 86400;
  char *found = ctime(&far);
  if (found != NULL) {
    strcpy(text, found);
  }
  return 0;
}
