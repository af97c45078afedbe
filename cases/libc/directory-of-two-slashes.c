// case: libc/directory-of-two-slashes
// models: dirname leaves two slashes at the start as they are
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <libgen.h>
#include <string.h>

int main(void) {
  char root[] = "//", three[] = "///", path[] = "//a//b/", plain[] = "a//", file[] = "/a/";
  assert(strcmp(dirname(root), "//") == 0);
  assert(strcmp(dirname(three), "/") == 0);
  assert(strcmp(dirname(path), "//a") == 0);
  assert(strcmp(dirname(plain), ".") == 0);
  assert(basename(file) == file + 1 && strcmp(file, "/a") == 0);
  return 0;
}
