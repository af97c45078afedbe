// case: content/same-length
// models: the longer of two lists is cut to the length of the shorter, then both are walked in step
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; int key; };

static struct item *make(void)
{
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *it = malloc(sizeof *it);
        it->key = __VERIFIER_nondet_int();
        it->next = list;
        list = it;
    }
    return list;
}

static int count(const struct item *list)
{
    int n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

static struct item *pop(struct item *list)
{
    struct item *next = list->next;
    free(list);
    return next;
}

int main(void)
{
    struct item *a = make(), *b = make();
    int na = count(a), nb = count(b);
    for (; na > nb; na--)
        a = pop(a);
    for (; nb > na; nb--)
        b = pop(b);
    while (a) {
        a->key += b->key;
        a = pop(a);
        b = pop(b);
    }
    return 0;
}
