// case: libc/time-after-2038-bug1
// models: a time need not fit an int
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 15
#include <time.h>
int main(void) {
  static const char names[4];
  time_t now = time(NULL);
  if (now < 0) {
    return 0;
  }
  int seconds = (int)now;
  return names[seconds % 4];
}
