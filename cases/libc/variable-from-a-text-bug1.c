// case: libc/variable-from-a-text-bug1
// models: the text that putenv was given is freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 16
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = strdup("NAME=value");
  putenv(text);
  free(text);
  const char *value = getenv("NAME");
  return value && value[0] == 'v';
}
