// case: libc/directory-as-a-file-bug1
// models: a DIR is no FILE
// target: lp64
// property: memsafety
// verdict: unsafe
// error: wild-deref line 14
#include <dirent.h>
#include <stdio.h>
int main(void) {
  DIR *dir = opendir(".");
  if (dir == NULL) {
    return 0;
  }
  fclose((FILE *)dir);
  return 0;
}
