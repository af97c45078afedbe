// case: libc/mode-that-is-none
// models: a stream cannot be opened in a mode that there is not
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
  FILE *file = fopen("a", "q");
  assert(file == NULL && errno == EINVAL);
  return 0;
}
