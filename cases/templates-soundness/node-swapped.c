// case: templates-soundness/node-swapped
// models: a node is moved to another list
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 38
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int n; };
int main(void)
{
    struct node *a = 0, *b = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof *p);
        p->n = 1;
        p->next = a;
        a = p;
    }
    while (a) {
        struct node *p = a;
        a = p->next;
        p->next = b;
        b = p;
        if (__VERIFIER_nondet_int())
            b->n = 2;
    }
    int sum = 0;
    while (b) {
        struct node *p = b;
        b = p->next;
        sum += p->n == 2;
        free(p);
    }
    assert(sum <= 1);
}
