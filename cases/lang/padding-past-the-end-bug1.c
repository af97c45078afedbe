// case: lang/padding-past-the-end-bug1
// models: a structure is stored with the padding at its end
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 14
#include <stdlib.h>
struct pair {
  int number;
  char letter;
};
int main(void) {
  struct pair *pair = malloc(5);
  *pair = (struct pair){1, 'a'};
  free(pair);
  return 0;
}
