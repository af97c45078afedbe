// case: content/deques
// models: a list of doubly linked lists from null to null, each with its first and last node, or empty
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *prev, *next;
    int number;
};

struct deque {
    struct item *last, *first;
    struct deque *next;
};

static void push(struct deque *deque, int number)
{
    struct item *item = malloc(sizeof *item);
    item->number = number;
    item->next = NULL;
    item->prev = deque->last;
    if (deque->last)
        deque->last->next = item;
    else
        deque->first = item;
    deque->last = item;
}

static int pop(struct deque *deque)
{
    struct item *item = deque->last;
    if (!item)
        return 0;
    deque->last = item->prev;
    if (deque->last)
        deque->last->next = NULL;
    else
        deque->first = NULL;
    free(item);
    return 1;
}

static int shift(struct deque *deque)
{
    struct item *item = deque->first;
    if (!item)
        return 0;
    deque->first = item->next;
    if (deque->first)
        deque->first->prev = NULL;
    else
        deque->last = NULL;
    free(item);
    return 1;
}

int main(void)
{
    struct deque *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct deque *deque = malloc(sizeof *deque);
        deque->first = deque->last = NULL;
        deque->next = all;
        all = deque;
        while (__VERIFIER_nondet_int())
            push(deque, __VERIFIER_nondet_int());
    }
    for (struct deque *deque = all; deque; deque = deque->next) {
        if (__VERIFIER_nondet_int())
            push(deque, 1);
        shift(deque);
        pop(deque);
    }
    while (all) {
        struct deque *deque = all;
        all = deque->next;
        while (pop(deque))
            ;
        free(deque);
    }
    return 0;
}
