// case: symheap/key-in-a-list
// models: a list of inputs whose contents have to be a key
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 35

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = head;
        head = n;
    }
    int expected = 90210;
    struct node *at = head;
    while (at && at->value == expected) {
        expected = expected * 3 + 1;
        at = at->next;
    }
    int found = !at;
    struct node *last = head;
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return found ? last->value : 0;
}
