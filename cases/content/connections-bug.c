// case: content/connections-bug
// models: a connection is closed, but once its state still says open
// target: lp64
// property: memcleanup
// verdict: unsafe
// error: double-free line 73
// also: double-free line 32
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum state { WAITING, OPEN, CLOSED };

struct connection {
    enum state state;
    char *buffer;
    unsigned used;
    struct connection *next;
};

static void open_it(struct connection *c)
{
    c->buffer = malloc(3);
    if (c->buffer == NULL)
        abort();
    c->used = 0;
    c->state = OPEN;
}

static void close_it(struct connection *c)
{
    free(c->buffer);
    if (__VERIFIER_nondet_int())
        c->state = CLOSED;
}

static void step(struct connection *c)
{
    switch (c->state) {
    case WAITING:
        if (__VERIFIER_nondet_int())
            open_it(c);
        break;
    case OPEN:
        if (c->used < 3)
            c->buffer[c->used++] = 'x';
        else
            close_it(c);
        break;
    case CLOSED:
        break;
    }
}

int main(void)
{
    struct connection *all = NULL;

    while (__VERIFIER_nondet_int()) {
        struct connection *c = malloc(sizeof *c);
        if (c == NULL)
            abort();
        c->state = WAITING;
        c->next = all;
        all = c;
    }
    while (__VERIFIER_nondet_int())
        for (struct connection *c = all; c != NULL; c = c->next)
            step(c);
    while (all != NULL) {
        struct connection *next = all->next;
        if (all->state == OPEN)
            free(all->buffer);
        free(all);
        all = next;
    }
    return 0;
}
