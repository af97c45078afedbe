// case: strings/split-bug
// models: pointers into a string at its separators
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 13
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static int parts(char *s) {
    int count = 0;
    char *p = s;
    while (*p) {
        while (*p && *p != ',') p++;
        *p++ = 0;
        count++;
    }
    return count;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    char *s = malloc(n);
    if (!s) abort();
    for (int i = 0; i < n; i++) s[i] = __VERIFIER_nondet_int();
    s[n - 1] = 0;
    parts(s);
    free(s);
    return 0;
}
