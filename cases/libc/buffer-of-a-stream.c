// case: libc/buffer-of-a-stream
// models: the buffer of a stream must be there when the stream is used
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 14
#include <stdio.h>
static void set(void) {
  char buffer[BUFSIZ];
  setbuf(stdout, buffer);
}
int main(void) {
  set();
  puts("x");
  return 0;
}
