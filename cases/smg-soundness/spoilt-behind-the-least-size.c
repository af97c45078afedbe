// case: smg-soundness/spoilt-behind-the-least-size
// models: a call that fails leaves anything in a buffer, also where nothing but the length of a string is known
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 24

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong(), at = __VERIFIER_nondet_ulong();
    if (n > 1000 || at >= n)
        return 0;
    char *path = malloc(n);
    path[at] = '\0';
    if (n >= 10 && at < 10) {
        if (!getcwd(path, 10))
            /* nobody says what is in it now */
            at = strlen(path);
    }
    free(path);
    return at > 3;
}
