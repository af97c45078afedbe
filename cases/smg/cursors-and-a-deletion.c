// case: smg/cursors-and-a-deletion
// models: a node is unlinked and freed while other cursors are in the list; those at the node are taken off it
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

int main(void)
{
    struct node *list = build();
    SOMEWHERE(a);
    SOMEWHERE(b);
    SOMEWHERE(gone);
    if (gone) {
        a = a == gone ? NULL : a;
        b = b == gone ? NULL : b;
        if (gone->prev)
            gone->prev->next = gone->next;
        else
            list = gone->next;
        if (gone->next)
            gone->next->prev = gone->prev;
        free(gone);
    }
    if (a)
        a->mark = 1;
    if (b)
        b->mark = 2;
    drop(list);
    return 0;
}
