// case: libc/upper-case-table-bug1
// models: the table of upper case has 228 for -28
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 10
#include <ctype.h>
int main(void) {
  int sign[2] = {0, 0};
  return sign[(*__ctype_toupper_loc())[-28] < 0 ? 1 : 2];
}
