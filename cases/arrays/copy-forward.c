// case: arrays/copy-forward
// models: a copy by two pointers and a counter that runs down
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static void copy(char *to, const char *from, unsigned long bytes) {
    while (bytes-- > 0)
        *to++ = *from++;
}

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 1 || m < n || m > 100000) return 0;
    char *from = calloc(n, 1), *to = malloc(m);
    if (!from || !to) abort();
    copy(to, from, n);
    free(from);
    free(to);
    return 0;
}
