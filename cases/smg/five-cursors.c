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

#define SOMEWHERE(at)                           \
    struct node *at = list;                     \
    while (at && __VERIFIER_nondet_int())       \
        at = at->next

static void drop(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

#define MEND(at)                                \
    if (at && at->next)                         \
        at->next->prev = at

int main(void)
{
    struct node *list = build();
    SOMEWHERE(a);
    SOMEWHERE(b);
    SOMEWHERE(c);
    SOMEWHERE(d);
    SOMEWHERE(e);
    MEND(a);
    MEND(b);
    MEND(c);
    MEND(d);
    MEND(e);
    drop(list);
    return 0;
}
