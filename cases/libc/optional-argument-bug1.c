// case: libc/optional-argument-bug1
// models: an optional argument may be missing
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 14
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
  size_t total = 0;
  int option;
  while ((option = getopt(argc, argv, "a::")) != -1) {
    if (option == 'a') {
      total += strlen(optarg);
    }
  }
  return total > 10;
}
