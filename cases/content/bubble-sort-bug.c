// case: content/bubble-sort-bug
// models: only two rounds of swaps
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 37

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell { int key; struct cell *next; };

int main(void)
{
    struct cell *list = NULL;
    int swapped, rounds = 0;
    while (__VERIFIER_nondet_int()) {
        struct cell *c = malloc(sizeof *c);
        c->key = __VERIFIER_nondet_int();
        c->next = list;
        list = c;
    }
    do {
        swapped = 0;
        for (struct cell *c = list; c && c->next; c = c->next)
            if (c->key > c->next->key) {
                int key = c->key;
                c->key = c->next->key;
                c->next->key = key;
                swapped = 1;
            }
    } while (swapped && ++rounds < 2);
    for (struct cell *c = list; c; c = c->next)
        if (c->next)
            assert(c->key <= c->next->key);
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
