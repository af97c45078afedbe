// case: libc/entry-at-a-third-place-bug1
// models: three entries of a directory may be at three places
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 15
#include <assert.h>
#include <dirent.h>

int main(void) {
  DIR *dir = opendir(".");
  if (!dir)
    return 0;
  struct dirent *a = readdir(dir), *b = readdir(dir), *c = readdir(dir);
  if (a && b && c)
    assert(c == a || c == b || a == b);
  closedir(dir);
  return 0;
}
