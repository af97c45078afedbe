// case: templates-soundness/write-through-a-neighbour
// models: a node is changed through its neighbour
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 32
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int n; };
int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof *p);
        p->n = 1;
        p->next = list;
        list = p;
        if (p->next)
            p->next->n = 2;
    }
    int bad = 0;
    while (list) {
        struct node *p = list;
        list = p->next;
        bad |= p->n != 1;
        free(p);
    }
    assert(!bad);
}
