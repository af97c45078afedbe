// case: templates/connections
// models: a state machine in every node
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { CLOSED, OPENING, OPEN };

struct connection {
    int state;
    int tries;
    struct connection *next;
};

static void step(struct connection *c)
{
    switch (c->state) {
    case CLOSED:
        c->state = OPENING;
        c->tries = 1;
        break;
    case OPENING:
        if (__VERIFIER_nondet_int()) {
            c->state = OPEN;
            c->tries = 0;
        } else if (c->tries == 3) {
            c->state = CLOSED;
            c->tries = 0;
        } else {
            c->tries++;
        }
        break;
    default:
        if (__VERIFIER_nondet_int())
            c->state = CLOSED;
        break;
    }
}

int main(void)
{
    struct connection *all = NULL;
    struct connection *c;

    while (__VERIFIER_nondet_int()) {
        c = malloc(sizeof *c);
        if (c == NULL)
            abort();
        c->state = CLOSED;
        c->tries = 0;
        c->next = all;
        all = c;
    }
    while (__VERIFIER_nondet_int())
        for (c = all; c != NULL; c = c->next)
            if (__VERIFIER_nondet_int())
                step(c);
    for (c = all; c != NULL; c = c->next)
        assert(c->state == OPENING ? c->tries >= 1 && c->tries <= 3 : c->tries == 0);
    while (all != NULL) {
        c = all->next;
        free(all);
        all = c;
    }
    return 0;
}
