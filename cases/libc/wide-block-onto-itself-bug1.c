// case: libc/wide-block-onto-itself-bug1
// models: wmemcpy of areas that overlap
// target: lp64
// property: memsafety
// verdict: unsafe
// error: overlapping-copy line 11
#include <wchar.h>

int main(void) {
  wchar_t text[8] = L"abcdef";
  wmemcpy(text + 1, text, 4);
  return text[0] != L'a';
}
