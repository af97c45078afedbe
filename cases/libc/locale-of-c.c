// case: libc/locale-of-c
// models: the locale of C is always there
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

#include <locale.h>
#include <stddef.h>
int main(void) {
  assert(setlocale(LC_ALL, "C") != NULL);
  return 0;
}
