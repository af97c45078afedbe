// case: content/merge-sort
// models: merge sort of a list, by recursion
// target: lp64
// property: assertions
// verdict: safe

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

static struct node *merge(struct node *a, struct node *b)
{
    struct node *head, *last;
    if (!a)
        return b;
    if (!b)
        return a;
    if (a->value <= b->value) {
        head = a;
        a = a->next;
    } else {
        head = b;
        b = b->next;
    }
    last = head;
    while (a && b) {
        if (a->value <= b->value) {
            last->next = a;
            a = a->next;
        } else {
            last->next = b;
            b = b->next;
        }
        last = last->next;
    }
    last->next = a ? a : b;
    return head;
}

static struct node *sort(struct node *list)
{
    struct node *half = NULL;
    struct node *slow = list, *fast;
    if (!list || !list->next)
        return list;
    fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    half = slow->next;
    slow->next = NULL;
    return merge(sort(list), sort(half));
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    list = sort(list);
    while (list) {
        struct node *next = list->next;
        if (next)
            assert(list->value <= next->value);
        free(list);
        list = next;
    }
    return 0;
}
