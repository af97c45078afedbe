// case: smg/five-cursors
// models: five cursors at unknown places of one doubly linked list, in any order; the list is checked from each of them
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
    int mark;
};

static struct node *build(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->next = list;
        node->prev = NULL;
        node->mark = 0;
        if (list)
            list->prev = node;
        list = node;
    }
    return list;
}

static struct node *somewhere(struct node *list)
{
    struct node *at = list;
    while (at && __VERIFIER_nondet_int())
        at = at->next;
    return at;
}

static void drop(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static void mend(struct node *at)
{
    if (at && at->next)
        at->next->prev = at;
    if (at && at->prev)
        at->prev->next = at;
}

int main(void)
{
    struct node *list = build();
    struct node *a = somewhere(list);
    struct node *b = somewhere(list);
    struct node *c = somewhere(list);
    struct node *d = somewhere(list);
    struct node *e = somewhere(list);
    mend(a);
    mend(b);
    mend(c);
    mend(d);
    mend(e);
    drop(list);
    return 0;
}
