// case: content/tagged-payload-bug
// models: a tag says whether the payload of a node is there; with a fault
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 50
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum kind { EMPTY, NUMBER };

struct message {
    enum kind kind;
    int *payload; /* set for NUMBER only */
    struct message *next;
};

int main(void)
{
    struct message *inbox = NULL;
    struct message *m;
    int nonzero = 0;

    while (__VERIFIER_nondet_int()) {
        m = malloc(sizeof *m);
        if (m == NULL)
            abort();
        m->kind = EMPTY;
        if (__VERIFIER_nondet_int()) {
            m->payload = malloc(sizeof *m->payload);
            if (m->payload == NULL)
                abort();
            *m->payload = __VERIFIER_nondet_int();
            m->kind = NUMBER;
        }
        m->next = inbox;
        inbox = m;
    }
    /* drop the payload of those that were read */
    for (m = inbox; m != NULL; m = m->next) {
        if (m->kind == NUMBER && __VERIFIER_nondet_int()) {
            free(m->payload);
        }
    }
    while (inbox != NULL) {
        m = inbox;
        inbox = m->next;
        if (m->kind == NUMBER) {
            if (*m->payload != 0)
                nonzero = 1;
            free(m->payload);
        }
        free(m);
    }
    return nonzero;
}
