// case: arrays/tail
// models: a structure with a flexible array
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct packet { int len; char data[]; };

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 0;
    struct packet *p = malloc(sizeof *p + n);
    if (!p) abort();
    p->len = n;
    for (int i = 0; i < p->len; i++)
        p->data[i] = 'x';
    free(p);
    return 0;
}
