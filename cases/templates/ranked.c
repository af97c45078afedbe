// case: templates/ranked
// models: scores are kept in order and counted; the table is checked before it is shown
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct score {
    int points;
    struct score *next;
};

int main(void)
{
    struct score *best = NULL;
    struct score *s;
    int record = 0;
    unsigned kept = 0;
    unsigned shown = 0;

    /* a score enters only if it is no less than the record */
    while (__VERIFIER_nondet_int()) {
        int points = __VERIFIER_nondet_int();
        if (points < record)
            continue;
        record = points;
        s = malloc(sizeof *s);
        if (s == NULL)
            abort();
        s->points = points;
        s->next = best;
        best = s;
        kept++;
    }
    for (s = best; s != NULL; s = s->next) {
        if (s->next != NULL)
            assert(s->points >= s->next->points);
        shown++;
    }
    assert(shown == kept);
    while (best != NULL) {
        s = best->next;
        free(best);
        best = s;
    }
    return 0;
}
