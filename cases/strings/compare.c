// case: strings/compare
// models: two strings are compared
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static int compare(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a - *b;
}

static char *make(int n) {
    char *s = malloc(n);
    if (!s) abort();
    for (int i = 0; i < n; i++) s[i] = 'a';
    s[n - 1] = 0;
    return s;
}

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000 || m < 1 || m > 1000) return 0;
    char *a = make(n), *b = make(m);
    compare(a, b);
    free(a);
    free(b);
    return 0;
}
