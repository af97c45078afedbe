// case: templates-soundness/four-nodes
// models: numbers in four nodes at once
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 26
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int n; };
int main(void)
{
    struct node *list = 0;
    int sum = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof *p);
        p->n = 1;
        p->next = list;
        list = p;
    }
    if (list && list->next && list->next->next && list->next->next->next)
        sum = list->n + list->next->n + list->next->next->n + list->next->next->next->n;
    assert(sum != 4);
}
