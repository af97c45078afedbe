// case: strings/split
// models: pointers into a string at its separators
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static int parts(char *s) {
    int count = 0;
    char *p = s;
    while (*p) {
        while (*p && *p != ',') p++;
        if (*p == ',') *p++ = 0;
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
