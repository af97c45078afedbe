// case: libc/letters-of-another-locale-bug1
// models: other locales have other letters
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 13
#include <assert.h>
#include <ctype.h>
#include <locale.h>

int main(void) {
  if (!setlocale(LC_ALL, ""))
    return 0;
  assert(!isalpha(0xe9));
  return 0;
}
