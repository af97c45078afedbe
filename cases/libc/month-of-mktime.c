// case: libc/month-of-mktime
// models: a mktime that succeeds brings the parts into their ranges
// target: lp64
// property: memsafety
// verdict: safe
#include <time.h>
static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int main(void) {
  struct tm parts = {0};
  parts.tm_year = 100;
  parts.tm_mon = 20;
  if (mktime(&parts) == (time_t)-1) {
    return 0;
  }
  return days[parts.tm_mon];
}
