// case: templates-soundness/nodes-differ
// models: neighbours of a list hold different numbers
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 31
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int n; };
int main(void)
{
    struct node *list = 0;
    int k = 0, bad = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof *p);
        p->n = k++;
        p->next = list;
        list = p;
    }
    while (list) {
        struct node *p = list;
        list = p->next;
        if (list && list->n != p->n)
            bad = 1;
        free(p);
    }
    assert(!bad);
}
