// case: content/tickets-bug
// models: tickets of readers and writers take turns; with a fault
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 48
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum role { READER, WRITER };

struct ticket {
    enum role role;
    struct ticket *next;
};

int main(void)
{
    struct ticket *first = NULL, *last = NULL;
    struct ticket *t;
    enum role turn = READER;

    while (__VERIFIER_nondet_int()) {
        int cancelled = __VERIFIER_nondet_int();
        enum role role = turn;

        turn = role == READER ? WRITER : READER;
        if (cancelled)
            continue;
        t = malloc(sizeof *t);
        if (t == NULL)
            abort();
        t->role = role;
        t->next = NULL;
        if (last == NULL)
            first = t;
        else
            last->next = t;
        last = t;
    }
    /* serve them in order */
    turn = READER;
    while (first != NULL) {
        t = first;
        first = t->next;
        assert(t->role == turn);
        turn = turn == READER ? WRITER : READER;
        free(t);
    }
    return 0;
}
