// case: content/cursors-bug
// models: the nodes hold addresses inside one array; with a fault
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 40
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cursor {
    struct cursor *next;
    int *at;
};

int main(void)
{
    int count = __VERIFIER_nondet_int();
    int *cells;
    struct cursor *cursors = NULL;

    if (count < 1 || count > 5000)
        return 0;
    cells = calloc(count, sizeof *cells);
    if (cells == NULL)
        abort();
    while (__VERIFIER_nondet_int()) {
        int index = __VERIFIER_nondet_int();
        struct cursor *c;
        if (index < 0 || index > count)
            continue;
        c = malloc(sizeof *c);
        if (c == NULL)
            abort();
        c->at = cells + index;
        c->next = cursors;
        cursors = c;
    }
    for (struct cursor *c = cursors; c != NULL; c = c->next)
        (*c->at)++;
    while (cursors != NULL) {
        struct cursor *c = cursors;
        cursors = c->next;
        *c->at = 0;
        free(c);
    }
    free(cells);
    return 0;
}
