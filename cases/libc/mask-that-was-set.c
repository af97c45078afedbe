// case: libc/mask-that-was-set
// models: umask gives the mask that was set last
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

#include <sys/stat.h>
int main(void) {
  umask(022);
  assert(umask(0) == 022);
  return 0;
}
