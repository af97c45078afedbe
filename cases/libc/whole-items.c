// case: libc/whole-items
// models: fread changes nothing where it reads no bytes
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  char letter = 7;
  if (fread(&letter, 1, 1, stdin) == 0) {
    assert(letter == 7);
  }
  return 0;
}
