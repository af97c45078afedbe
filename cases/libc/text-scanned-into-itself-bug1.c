// case: libc/text-scanned-into-itself-bug1
// models: sscanf writes to the string that it reads
// target: lp64
// property: memsafety
// verdict: unsafe
// error: overlapping-copy line 11
#include <stdio.h>

int main(void) {
  char text[] = "one two";
  sscanf(text, "%*s %s", text);
  return text[0];
}
