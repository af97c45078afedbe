// case: smg-soundness/two-cursors-at-one-node
// models: of several cursors in a list two may be at the same node, which is freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 66

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
    SOMEWHERE(c);
    SOMEWHERE(d);
    SOMEWHERE(e);
    if (a) {
        if (a->prev)
            a->prev->next = a->next;
        else
            list = a->next;
        if (a->next)
            a->next->prev = a->prev;
        free(a);
    }
    if (e)
        e->mark = (b != NULL) + (c != NULL) + (d != NULL);
    drop(list);
    return 0;
}
