// case: libc/process-after-fork-bug1
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 11
#include <unistd.h>
int main(void) {
  int t[1] = {0};
  int before = getpid();
  fork();
  return t[before != getpid()];
}
