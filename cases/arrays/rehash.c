// case: arrays/rehash
// models: a table of chains that is doubled: all nodes move to a new table, and the old one still leads to them until it is freed
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct kv { struct kv *next; int key; };

int main(void)
{
    unsigned n = (unsigned)__VERIFIER_nondet_int();
    if (n == 0 || n > 100000)
        return 0;
    struct kv **old = calloc(n, sizeof *old);
    while (__VERIFIER_nondet_int()) {
        struct kv *e = malloc(sizeof *e);
        e->key = __VERIFIER_nondet_int();
        e->next = old[(unsigned)e->key % n];
        old[(unsigned)e->key % n] = e;
    }
    unsigned m = 2 * n;
    struct kv **tab = calloc(m, sizeof *tab);
    for (unsigned i = 0; i < n; i++) {
        struct kv *e = old[i];
        while (e) {
            struct kv *next = e->next;
            unsigned j = (unsigned)e->key % m;
            e->next = tab[j];
            tab[j] = e;
            e = next;
        }
    }
    free(old);
    for (unsigned i = 0; i < m; i++)
        while (tab[i]) {
            struct kv *e = tab[i];
            tab[i] = e->next;
            free(e);
        }
    free(tab);
    return 0;
}
