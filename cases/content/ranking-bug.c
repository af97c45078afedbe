// case: content/ranking-bug
// models: the same with the comparison the wrong way round
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 41

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry { struct entry *prev, *next; long score; };
struct board { struct entry *best, *worst; };

static void enter(struct board *b, long score)
{
    struct entry *e = malloc(sizeof *e);
    struct entry *at = b->best;
    e->score = score;
    while (at && at->score <= score)
        at = at->next;
    e->next = at;
    e->prev = at ? at->prev : b->worst;
    if (e->prev)
        e->prev->next = e;
    else
        b->best = e;
    if (at)
        at->prev = e;
    else
        b->worst = e;
}

int main(void)
{
    struct board b = { NULL, NULL };
    while (__VERIFIER_nondet_int())
        enter(&b, __VERIFIER_nondet_int());
    for (struct entry *e = b.best; e; e = e->next)
        assert(!e->next || e->score >= e->next->score);
    while (b.worst) {
        struct entry *gone = b.worst;
        b.worst = gone->prev;
        assert(!b.worst || b.worst->score >= gone->score);
        free(gone);
    }
    return 0;
}
