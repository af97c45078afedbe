// case: libc/strncpy-unterminated
// models: strncpy leaves no 0 when the source is too long; strlen reads on
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 17

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *name = malloc(4);
    strncpy(name, __VERIFIER_nondet_int() ? "eve" : "alice", 4);
    int n = (int)strlen(name);
    free(name);
    return n > 4;
}
