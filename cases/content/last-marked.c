// case: content/last-marked
// models: the last node is marked, and walks end at the mark
// target: lp64
// property: memsafety
// verdict: safe
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int value;
    bool last;
    struct cell *next;
};

static struct cell *new_cell(void)
{
    struct cell *c = malloc(sizeof *c);
    if (c == NULL)
        abort();
    c->value = __VERIFIER_nondet_int();
    c->last = true;
    c->next = NULL;
    return c;
}

int main(void)
{
    struct cell *row = new_cell();
    struct cell *end = row;
    struct cell *c;

    while (__VERIFIER_nondet_int()) {
        end->next = new_cell();
        end->last = false;
        end = end->next;
    }
    /* cut off the end, if more than one is there */
    if (!row->last) {
        for (c = row; !c->next->last; c = c->next)
            ;
        free(c->next);
        c->next = NULL;
        c->last = true;
    }
    for (c = row; !c->last; c = c->next)
        c->value = 0;
    c->value = 1;
    while (row != NULL) {
        c = row->next;
        free(row);
        row = c;
    }
    return 0;
}
