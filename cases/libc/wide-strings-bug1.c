// case: libc/wide-strings-bug1
// models: a wide string takes four bytes for each character
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 14
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
  const wchar_t *from = L"four";
  wchar_t *copy = malloc(wcslen(from) * 4);
  wcscpy(copy, from);
  free(copy);
  return 0;
}
