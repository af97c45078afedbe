// case: smg-soundness/copy-over-the-end-of-a-string
// models: a copy that starts behind the least size of a block overwrites the NUL that the block is known to hold
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 15
#include <stdlib.h>
#include <string.h>
static char x[200000];
int main(int argc, char **argv) {
    char *s = strdup(argv[0]);
    if (!s) return 0;
    memset(x, 'x', sizeof x);
    memcpy(s + 1, x, strlen(s));
    size_t n = strlen(s);
    free(s);
    return n > 3;
}
