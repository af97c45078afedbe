// case: libc/new-buffer-after-reopening
// models: freopen closes the file, and its buffer is used no more
// target: lp64
// property: memsafety
// verdict: safe
#include <stdio.h>
static void reopen(void) {
  char buffer[BUFSIZ];
  setbuf(stdout, buffer);
  puts("a");
  freopen("/dev/null", "w", stdout);
}
int main(void) {
  reopen();
  puts("b");
  fflush(stdout);
  return 0;
}
