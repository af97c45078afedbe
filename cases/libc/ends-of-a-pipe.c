// case: libc/ends-of-a-pipe
// models: the ends of a pipe are two descriptors
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

#include <unistd.h>
int main(void) {
  int ends[2];
  if (pipe(ends) == 0) assert(ends[0] != ends[1]);
  return 0;
}
