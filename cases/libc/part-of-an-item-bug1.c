// case: libc/part-of-an-item-bug1
// models: fread may store a part of an item
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 12
#include <assert.h>
#include <stdio.h>
int main(void) {
  int number = 7;
  if (fread(&number, sizeof number, 1, stdin) == 0) {
    assert(number == 7);
  }
  return 0;
}
