// case: strings/copy
// models: the loop of strcpy into a block that is as long
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static void copy(char *to, const char *from) {
    while ((*to++ = *from++) != 0)
        ;
}

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 2 || m < n || m > 100000) return 0;
    char *from = malloc(n), *to = malloc(m);
    if (!from || !to) abort();
    for (int i = 0; i < n - 1; i++) from[i] = 'a';
    from[n - 1] = 0;
    copy(to, from);
    free(from);
    free(to);
    return 0;
}
