// case: libc/locale-at-the-start
// models: the locale is that of C until the program chooses another one
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <ctype.h>
#include <locale.h>
#include <string.h>

int main(void) {
  assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0);
  assert(setlocale(LC_CTYPE, "POSIX") != NULL);
  assert(!isalpha(0xe9));
  assert(localeconv()->decimal_point[0] == '.');
  assert(setlocale(99, "C") == NULL);
  return 0;
}
