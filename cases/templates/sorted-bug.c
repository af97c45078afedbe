// case: templates/sorted-bug
// models: a list that is built in order, but for one comparison
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 35
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    struct node *n;

    /* the greatest value is in front */
    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();
        if (list != NULL && value < list->value && value != 0)
            continue;
        n = malloc(sizeof *n);
        if (n == NULL)
            abort();
        n->value = value;
        n->next = list;
        list = n;
    }
    for (n = list; n != NULL && n->next != NULL; n = n->next)
        assert(n->value >= n->next->value);
    while (list != NULL) {
        n = list->next;
        free(list);
        list = n;
    }
    return 0;
}
