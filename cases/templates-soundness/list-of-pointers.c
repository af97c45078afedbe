// case: templates-soundness/list-of-pointers
// models: what a pointer in a node leads to
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 30
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int *data; };
int main(void)
{
    int x = 0, y = 0;
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof *p);
        p->data = __VERIFIER_nondet_int() ? &x : &y;
        p->next = list;
        list = p;
    }
    while (list) {
        struct node *p = list;
        *p->data += 1;
        list = p->next;
        free(p);
    }
    assert(y <= 1);
}
