// case: content/retries
// models: a counter of tries in every node stays below its bound
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define MAX_TRIES 5

struct request {
    int id;
    int tries;
    struct request *next;
};

int main(void)
{
    struct request *pending = NULL;
    struct request *r;

    while (__VERIFIER_nondet_int()) {
        struct request **link = &pending;

        r = malloc(sizeof *r);
        if (r == NULL)
            abort();
        r->id = __VERIFIER_nondet_int();
        r->tries = 0;
        r->next = pending;
        pending = r;
        /* a round: who succeeds, or has tried too often, leaves */
        while (*link != NULL) {
            int ok = __VERIFIER_nondet_int();

            r = *link;
            r->tries++;
            if (ok || r->tries >= MAX_TRIES) {
                *link = r->next;
                free(r);
            } else {
                link = &r->next;
            }
        }
    }
    while (pending != NULL) {
        r = pending;
        pending = r->next;
        assert(r->tries > 0 && r->tries < MAX_TRIES);
        free(r);
    }
    return 0;
}
