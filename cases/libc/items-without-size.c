// case: libc/items-without-size
// models: fread of items of no size gives 0
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  char area[10];
  assert(fread(area, 0, 5, stdin) == 0);
  return 0;
}
