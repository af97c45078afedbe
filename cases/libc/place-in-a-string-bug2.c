// case: libc/place-in-a-string-bug2
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 8
#include <string.h>
int main(int argc, char **argv) {
  return argv[0][0] ? 0 : strchr(argv[0], argv[0][0])[1];
}
