// case: libc/lock-of-another-bug1
// models: fcntl stores the lock of another process
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 13
#include <assert.h>
#include <fcntl.h>
int main(void) {
  struct flock lock = {0};
  lock.l_type = F_WRLCK;
  fcntl(0, F_GETLK, &lock);
  assert(lock.l_type == F_WRLCK);
  return 0;
}
