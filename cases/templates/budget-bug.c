// case: templates/budget-bug
// models: spent is at most granted in every node, both change; with a fault
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 41
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct account {
    int granted;
    int spent;
    struct account *next;
};

int main(void)
{
    struct account *all = NULL;
    struct account *a;

    while (__VERIFIER_nondet_int()) {
        int g = __VERIFIER_nondet_int();
        if (g < 0 || g > 10000)
            continue;
        a = malloc(sizeof *a);
        if (a == NULL)
            abort();
        a->granted = g;
        a->spent = 0;
        a->next = all;
        all = a;
    }
    for (a = all; a != NULL; a = a->next) {
        int cost = __VERIFIER_nondet_int();
        if (cost >= 0 && cost <= a->granted)
            a->spent = cost + 1;
    }
    for (a = all; a != NULL; a = a->next)
        assert(a->spent <= a->granted);
    while (all != NULL) {
        a = all->next;
        free(all);
        all = a;
    }
    return 0;
}
