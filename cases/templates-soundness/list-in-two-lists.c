// case: templates-soundness/list-in-two-lists
// models: a node that two lists share
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 37
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int n; };
int main(void)
{
    struct node *a = 0, *low = 0, *high = 0;
    int bad = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof *p);
        p->n = __VERIFIER_nondet_int();
        p->next = a;
        a = p;
    }
    while (a) {
        struct node *p = a;
        a = a->next;
        if (p->n < 5) {
            p->next = low;
            low = p;
        } else {
            p->next = __VERIFIER_nondet_int() ? low : high;
            high = p;
        }
    }
    for (; high; high = high->next)
        bad |= high->n < 5;
    assert(!bad);
}
