// case: libc/new-stream-is-not-at-its-end
// models: feof and ferror of a stream that was not used, or cleared, give 0
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  assert(!feof(stdin) && !ferror(stdin));
  getchar();
  clearerr(stdin);
  assert(!feof(stdin) && !ferror(stdin));
  FILE *file = fopen("x", "r");
  if (!file) return 0;
  assert(!feof(file) && !ferror(file));
  fclose(file);
  return 0;
}
