// case: content/second-half-bug
// models: the second half of a list begins after half of its nodes; rounded up, there is none after the first node
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 40

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; int key; };

static unsigned count(const struct item *list)
{
    unsigned n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

int main(void)
{
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *it = malloc(sizeof *it);
        it->key = __VERIFIER_nondet_int();
        it->next = list;
        list = it;
    }
    unsigned n = count(list);
    unsigned h = (n + 1) / 2;
    struct item *second = list;
    for (unsigned i = 0; i < h; i++)
        second = second->next;
    /* the second part is as long as the first, or one longer */
    for (struct item *first = list; first != NULL && h > 0; first = first->next) {
        if (first == second)
            break;
        first->key += second->key;
        second->key = 0;
    }
    while (list) {
        struct item *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
