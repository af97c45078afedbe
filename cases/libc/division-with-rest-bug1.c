// case: libc/division-with-rest-bug1
// models: div divides by zero
// target: lp64
// property: assertions
// verdict: unsafe
// error: division-by-zero line 11
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  return div(7, argc - 1).quot;
}
