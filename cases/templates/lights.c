// case: templates/lights
// models: a state machine in every node
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { OFF, GREEN, YELLOW, RED };

struct light {
    int state;
    int seconds;
    struct light *next;
};

int main(void)
{
    struct light *all = NULL;
    struct light *l;

    while (__VERIFIER_nondet_int()) {
        l = malloc(sizeof *l);
        if (l == NULL)
            abort();
        l->state = OFF;
        l->seconds = 0;
        l->next = all;
        all = l;
    }
    while (__VERIFIER_nondet_int()) {
        for (l = all; l != NULL; l = l->next) {
            if (l->state == OFF || l->state == RED) {
                l->state = GREEN;
                l->seconds = 30;
            } else if (l->state == GREEN) {
                l->state = YELLOW;
                l->seconds = 3;
            } else {
                l->state = RED;
                l->seconds = 20;
            }
        }
    }
    for (l = all; l != NULL; l = l->next) {
        assert(l->state >= OFF && l->state <= RED);
        assert(l->seconds >= 0 && l->seconds <= 30);
    }
    while (all != NULL) {
        l = all->next;
        free(all);
        all = l;
    }
    return 0;
}
