// case: strings/append
// models: one string is put behind another
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static void append(char *to, const char *from) {
    while (*to) to++;
    while ((*to++ = *from++) != 0)
        ;
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 1 || a > 1000 || b < 2 || b > 1000) return 0;
    char *to = malloc(a + b), *from = malloc(b);
    if (!to || !from) abort();
    for (int i = 0; i < a; i++) to[i] = 'a';
    for (int i = 0; i < b; i++) from[i] = 'b';
    to[a - 1] = 0;
    from[b - 1] = 0;
    append(to, from);
    free(to);
    free(from);
    return 0;
}
