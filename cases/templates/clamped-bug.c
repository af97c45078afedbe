// case: templates/clamped-bug
// models: a list whose values lie between two inputs; with a fault
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 41
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int val;
    struct cell *next;
};

int main(void)
{
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    struct cell *list = NULL;
    struct cell *p;

    if (low > high)
        return 0;
    while (__VERIFIER_nondet_int()) {
        int x = __VERIFIER_nondet_int();
        if (x < low)
            x = low;
        if (x > high + 1)
            x = high;
        p = malloc(sizeof *p);
        if (p == NULL)
            abort();
        p->val = x;
        p->next = list;
        list = p;
    }
    for (p = list; p != NULL; p = p->next) {
        assert(p->val >= low);
        assert(p->val <= high);
    }
    while (list != NULL) {
        p = list->next;
        free(list);
        list = p;
    }
    return 0;
}
