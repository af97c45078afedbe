// case: libc/date-as-text-bug1
// models: a date has more characters than the array
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 16
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void) {
  struct tm tm = {.tm_mday = 9, .tm_mon = 1, .tm_year = 124};
  char text[40];
  size_t n = strftime(text, sizeof text, "%d/%m/%Y", &tm);
  char *copy = malloc(n);
  strcpy(copy, text);
  free(copy);
  return 0;
}
