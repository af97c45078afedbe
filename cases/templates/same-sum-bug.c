// case: templates/same-sum-bug
// models: two lists whose sums together change
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 40
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct coin {
    unsigned value;
    struct coin *next;
};

int main(void)
{
    struct coin *mine = NULL, *yours = NULL;
    struct coin *c;
    unsigned have = 0, gave = 0, all = 0;

    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof *c);
        if (c == NULL)
            abort();
        c->value = (unsigned)__VERIFIER_nondet_int() % 100;
        c->next = mine;
        mine = c;
        have += c->value;
        all += c->value;
    }
    while (mine != NULL && __VERIFIER_nondet_int()) {
        c = mine;
        mine = c->next;
        c->next = yours;
        yours = c;
        have -= c->value / 2 * 2;
        gave += c->value;
        assert(have + gave == all);
    }
    while (mine != NULL) {
        c = mine->next;
        assert(mine->value < 100);
        free(mine);
        mine = c;
    }
    while (yours != NULL) {
        c = yours->next;
        assert(yours->value < 100);
        free(yours);
        yours = c;
    }
    return 0;
}
