// case: libc/parts-of-the-first-second
// models: the parts of a time are those of the calendar
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <time.h>
int main(void) {
  time_t start = 0;
  struct tm *parts = gmtime(&start);
  if (parts != NULL) {
    assert(parts->tm_year == 70);
    assert(parts->tm_mday == 1);
    assert(parts->tm_wday == 4);
  }
  return 0;
}
