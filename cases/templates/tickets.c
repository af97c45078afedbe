// case: templates/tickets
// models: a queue that counts its entries
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    unsigned ticket;
    struct entry *next;
};

int main(void)
{
    struct entry *first = NULL, *last = NULL;
    struct entry *e;
    unsigned given = 0, served = 0, waiting = 0;

    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (given == 100000)
                continue;
            e = malloc(sizeof *e);
            if (e == NULL)
                abort();
            e->ticket = given++;
            e->next = NULL;
            if (last != NULL)
                last->next = e;
            else
                first = e;
            last = e;
            waiting++;
        } else if (first != NULL) {
            e = first;
            first = e->next;
            if (first == NULL)
                last = NULL;
            assert(e->ticket < given);
            free(e);
            served++;
            waiting--;
        }
        assert(served + waiting == given);
    }
    while (first != NULL) {
        e = first->next;
        assert(first->ticket < 100000);
        free(first);
        first = e;
    }
    return 0;
}
