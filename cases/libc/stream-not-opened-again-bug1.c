// case: libc/stream-not-opened-again-bug1
// models: a stream that could not be opened again is dropped
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 13
#include <stdio.h>

int main(void) {
  FILE *file = fopen("a", "r");
  if (!file)
    return 0;
  if (!freopen("no/such/file", "r", file))
    file = NULL;
  if (file)
    fclose(file);
  return 0;
}
