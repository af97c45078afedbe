// case: strings/length-bug
// models: a scan to the first NUL
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 12
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static long length(const char *s) {
    const char *p = s;
    while (*p)
        p++;
    return p - s;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    char *s = malloc(n);
    if (!s) abort();
    for (int i = 0; i < n; i++) s[i] = 'a';
    long len = length(s);
    free(s);
    return len > 10;
}
