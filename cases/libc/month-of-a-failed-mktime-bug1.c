// case: libc/month-of-a-failed-mktime-bug1
// models: a mktime that fails leaves the parts as they are
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 15
#include <limits.h>
#include <time.h>
static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int main(void) {
  struct tm parts = {0};
  parts.tm_year = INT_MAX;
  parts.tm_mon = 20;
  mktime(&parts);
  return days[parts.tm_mon];
}
