// case: libc/name-of-no-path
// models: basename and dirname of libgen.h take no path for a dot
// target: lp64
// property: memsafety
// verdict: safe
#include <libgen.h>
int main(void) {
  return basename(0)[0] == dirname(0)[0];
}
