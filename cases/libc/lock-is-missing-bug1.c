// case: libc/lock-is-missing-bug1
// models: fcntl reads the lock
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 11
#include <fcntl.h>
#include <stddef.h>
int main(void) {
  struct flock *lock = NULL;
  fcntl(0, F_SETLK, lock);
  return 0;
}
