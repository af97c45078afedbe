// case: libc/month-of-localtime-bug1
// models: the parts of a time are in their ranges
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14
#include <time.h>
static const int days[11] = {28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int main(void) {
  time_t now = time(NULL);
  struct tm *parts = localtime(&now);
  if (parts == NULL)
    return 0;
  return days[parts->tm_mon];
}
