// case: libc/entry-after-closedir-bug1
// models: an entry of readdir is gone with its directory
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 16
#include <dirent.h>
#include <stddef.h>
int main(void) {
  DIR *dir = opendir(".");
  if (dir == NULL) {
    return 0;
  }
  struct dirent *entry = readdir(dir);
  closedir(dir);
  return entry != NULL ? entry->d_name[0] : 0;
}
