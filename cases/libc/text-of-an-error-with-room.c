// case: libc/text-of-an-error-with-room
// models: strerror_r fails only without room or for unknown numbers
// target: lp64
// property: assertions
// verdict: safe
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <string.h>

int main(void) {
  char text[64], small[5];
  assert(strerror_r(ENOENT, text, sizeof text) == 0);
  assert(strcmp(text, "No such file or directory") == 0);
  assert(strerror_r(ENOENT, small, sizeof small) == ERANGE && strlen(small) == 4);
  assert(strerror_r(9999, text, sizeof text) == EINVAL);
  assert(strcmp(strerror(EINVAL), "Invalid argument") == 0);
  return 0;
}
