// case: libc/sprintf-to-itself-bug1
// models: what sprintf reads is not where it writes
// target: lp64
// property: memsafety
// verdict: unsafe
// error: overlapping-copy line 10
#include <stdio.h>
int main(void) {
  char text[16] = "ab";
  sprintf(text, "%s%d", text, 1);
  return text[0];
}
