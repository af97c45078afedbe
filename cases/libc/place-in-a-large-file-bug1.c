// case: libc/place-in-a-large-file-bug1
// models: a place in a file need not fit an int
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 17
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *file = fopen("data", "r");
  if (file == NULL) {
    return 0;
  }
  long place = ftell(file);
  int small = (int)place;
  fclose(file);
  assert(small >= -1);
  return 0;
}
