// case: templates/two-counters-bug
// models: two lists and counters whose sum agrees; with a fault
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 49
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
};

static struct item *push(struct item *list)
{
    struct item *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->next = list;
    return n;
}

static void drop(struct item *list)
{
    while (list != NULL) {
        struct item *n = list->next;
        free(list);
        list = n;
    }
}

int main(void)
{
    struct item *left = NULL, *right = NULL;
    int lefts = 0, rights = 0, all = 0;

    while (all < 1000 && __VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            left = push(left);
            lefts++;
        } else {
            right = push(right);
            rights += 2;
        }
        all++;
    }
    assert(lefts + rights == all);
    assert(lefts <= all);
    drop(left);
    drop(right);
    return 0;
}
