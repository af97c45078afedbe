// case: lang/recursive-list-bug
// models: a list is built, extended and freed too early by recursive functions
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 40

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int key; };

static struct node *build(int length)
{
    if (length <= 0)
        return NULL;
    struct node *new = malloc(sizeof *new);
    new->key = length;
    new->next = build(length - 1);
    return new;
}

static void append(struct node **at)
{
    if (*at) {
        append(&(*at)->next);
    } else {
        *at = malloc(sizeof **at);
        (*at)->key = 0;
        (*at)->next = NULL;
    }
}

static void drop(struct node *list)
{
    if (!list)
        return;
    free(list);
    drop(list->next);
}

int main(void)
{
    struct node *list = build(__VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int())
        append(&list);
    drop(list);
    return 0;
}
