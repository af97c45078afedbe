// case: strings/trim
// models: blanks at the end are cut off, from behind
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    char *s = malloc(n);
    if (!s) abort();
    memset(s, ' ', n);
    s[n - 1] = 0;
    long len = strlen(s);
    while (len > 0 && s[len - 1] == ' ') {
        len--;
        s[len] = 0;
    }
    free(s);
    return 0;
}
