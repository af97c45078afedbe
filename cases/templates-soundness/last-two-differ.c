// case: templates-soundness/last-two-differ
// models: what one node leads to is not what all of them lead to
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 35
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *self;
};

int main(void)
{
    struct node *list = NULL, *n, *last = NULL, *before = NULL;

    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        if (n == NULL)
            abort();
        n->next = list;
        n->self = n;
        list = n;
    }
    /* Each node leads to itself, but not all nodes are one. */
    for (n = list; n != NULL; n = n->next) {
        before = last;
        last = n->self;
    }
    if (last != NULL && before != NULL)
        assert(last == before);
    return 0;
}
