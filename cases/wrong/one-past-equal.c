// case: wrong/one-past-equal
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 7
#include <stdlib.h>
int main(void) { char *a = malloc(16), *b = malloc(16); int z[1] = {0}; int r = 0; if (a + 16 != b) r = z[1]; free(a); free(b); return r; }
