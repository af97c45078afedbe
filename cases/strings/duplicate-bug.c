// case: strings/duplicate-bug
// models: strlen, malloc, memcpy
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 15
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);

static char *duplicate(const char *s) {
    size_t len = strlen(s);
    char *d = malloc(len);
    if (!d) abort();
    memcpy(d, s, len + 1);
    return d;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    char *s = malloc(n);
    if (!s) abort();
    memset(s, 'a', n);
    s[n - 1] = 0;
    char *d = duplicate(s);
    free(d);
    free(s);
    return 0;
}
