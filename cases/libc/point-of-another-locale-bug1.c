// case: libc/point-of-another-locale-bug1
// models: other locales have another decimal point
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 17
// also: assertion-failure line 18
#include <assert.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char text[40];
  if (!setlocale(LC_NUMERIC, ""))
    return 0;
  snprintf(text, sizeof text, "%.1f", 1.5);
  assert(strtod("1.5", NULL) == 1.5);
  assert(text[1] == '.');
  return 0;
}
