// case: libc/date-as-text
// models: strftime writes what the parts say
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void) {
  struct tm tm = {.tm_sec = 5, .tm_min = 4, .tm_hour = 15, .tm_mday = 9, .tm_mon = 1, .tm_year = 124, .tm_wday = 5, .tm_yday = 39};
  char text[40];
  assert(strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %j", &tm) == 27);
  assert(strcmp(text, "2024-02-09 15:04:05 Fri 040") == 0);
  assert(strftime(text, 4, "%Y", &tm) == 0);
  return 0;
}
