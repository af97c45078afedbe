// case: content/joined-lists-bug
// models: the lengths of two lists add up when one takes over the other; with a fault
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 51
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    int value;
    struct item *next;
};

struct list {
    struct item *first;
    int count;
};

static void fill(struct list *l)
{
    l->first = NULL;
    l->count = 0;
    while (l->count < 1000 && __VERIFIER_nondet_int()) {
        struct item *i = malloc(sizeof *i);
        if (i == NULL)
            abort();
        i->value = __VERIFIER_nondet_int();
        i->next = l->first;
        l->first = i;
        l->count++;
    }
}

static void take_over(struct list *to, struct list *from)
{
    struct item **end = &to->first;

    while (*end != NULL)
        end = &(*end)->next;
    *end = from->first;
    to->count += from->count;
    from->first = NULL;
}

static void drain(struct list *l)
{
    while (l->count > 0) {
        struct item *i = l->first;
        l->first = i->next;
        l->count--;
        free(i);
    }
}

int main(void)
{
    struct list a, b;

    fill(&a);
    fill(&b);
    take_over(&a, &b);
    drain(&a);
    drain(&b);
    return 0;
}
