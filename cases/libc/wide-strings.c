// case: libc/wide-strings
// models: wide strings are arrays of wchar_t
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  wchar_t text[8], *end;
  char bytes[16];
  wcscpy(text, L"abc");
  wcscat(text, L"de");
  assert(wcslen(text) == 5 && wcscmp(text, L"abcde") == 0 && wcschr(text, L'c') == text + 2);
  assert(wcstombs(bytes, text, sizeof bytes) == 5 && strcmp(bytes, "abcde") == 0);
  assert(mbstowcs(text, "xyz", 8) == 3 && wmemcmp(text, L"xyz", 4) == 0);
  assert(iswalpha(L'x') && !iswdigit(L'x') && towupper(L'x') == L'X');
  assert(wcstol(L"12rest", &end, 10) == 12 && *end == L'r');
  snprintf(bytes, sizeof bytes, "%ls|%lc", text, (wint_t)L'q');
  assert(strcmp(bytes, "xyz|q") == 0);
  return 0;
}
