// case: smg-soundness/cut-before-a-cursor
// models: a list is cut at a cursor, and what was before it is lost
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 59
// also: leak line 61

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
        list = a;
        list->prev = NULL;
    }
    b = c = d = e = NULL;
    drop(list);
    return 0;
}
