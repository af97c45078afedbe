// case: strings/find-char
// models: a scan by index that stops at a character or the NUL
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static int find(const char *s, char c) {
    int i = 0;
    while (s[i] != 0 && s[i] != c)
        i++;
    return s[i] == c ? i : -1;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    char *s = malloc(n);
    if (!s) abort();
    for (int i = 0; i < n; i++) s[i] = 'a';
    s[n - 1] = 0;
    find(s, 'x');
    free(s);
    return 0;
}
