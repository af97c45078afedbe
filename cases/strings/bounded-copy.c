// case: strings/bounded-copy
// models: a copy with a limit, which always ends in NUL
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static void copy(char *to, const char *from, int cap) {
    int i = 0;
    while (i < cap - 1 && from[i]) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
}

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000 || m < 1 || m > 100000) return 0;
    char *from = malloc(n), *to = malloc(m);
    if (!from || !to) abort();
    for (int i = 0; i < n; i++) from[i] = 'b';
    from[n - 1] = 0;
    copy(to, from, m);
    free(from);
    free(to);
    return 0;
}
