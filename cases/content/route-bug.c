// case: content/route-bug
// models: doubly linked nodes with a second pointer to the node before, which is forgotten when a node goes
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 65

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct stop {
    struct stop *next, *prev;
    void *place;
    struct stop *from;
    int passed;
};

static struct stop *insert_before(struct stop *first, struct stop *at)
{
    struct stop *stop = malloc(sizeof *stop);
    stop->place = stop;
    stop->passed = 0;
    stop->next = at;
    stop->prev = stop->from = at ? at->prev : NULL;
    if (at)
        at->prev = at->from = stop;
    if (stop->prev)
        stop->prev->next = stop;
    return stop->prev ? first : stop;
}

static struct stop *leave_out(struct stop *first, struct stop *stop)
{
    if (stop->next) {
        stop->next->prev = stop->prev;
    }
    if (stop->prev)
        stop->prev->next = stop->next;
    else
        first = stop->next;
    free(stop->place);
    return first;
}

static struct stop *any(struct stop *stop)
{
    while (stop && __VERIFIER_nondet_int())
        stop = stop->next;
    return stop;
}

int main(void)
{
    struct stop *first = insert_before(NULL, NULL);
    while (__VERIFIER_nondet_int()) {
        struct stop *at = any(first);
        if (at)
            first = insert_before(first, at);
        at = any(first);
        if (at && at->next)
            first = leave_out(first, at);
        for (at = first; at; at = at->next)
            if (at->from)
                at->from->passed = 1;
    }
    while (first)
        first = leave_out(first, first);
    return 0;
}
