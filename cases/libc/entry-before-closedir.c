// case: libc/entry-before-closedir
// models: an entry of readdir is read while its directory is open
// target: lp64
// property: memsafety
// verdict: safe
#include <dirent.h>
#include <stddef.h>
int main(void) {
  DIR *dir = opendir(".");
  if (dir == NULL) {
    return 0;
  }
  struct dirent *entry;
  int dots = 0;
  while ((entry = readdir(dir)) != NULL) {
    dots += entry->d_name[0] == '.';
  }
  closedir(dir);
  return dots != 0;
}
