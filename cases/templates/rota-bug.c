// case: templates/rota-bug
// models: three people take turns; one of them takes two places
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 32
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    int who;
    struct entry *next;
};

int main(void)
{
    int now = __VERIFIER_nondet_int();
    int then = __VERIFIER_nondet_int();
    int last = __VERIFIER_nondet_int();
    struct entry *log = NULL;
    struct entry *e;
    unsigned turns = 0;
    unsigned found = 0;

    if (now == then || then == last || last == now)
        return 0;
    while (__VERIFIER_nondet_int()) {
        int first = now;
        /* nobody is on duty twice in a row */
        assert(now != then);
        e = malloc(sizeof *e);
        if (e == NULL)
            abort();
        e->who = now;
        e->next = log;
        log = e;
        turns++;
        now = then;
        then = last;
        last = turns > 2 ? first : now;
    }
    for (e = log; e != NULL; e = e->next)
        found++;
    assert(found == turns);
    while (log != NULL) {
        e = log->next;
        free(log);
        log = e;
    }
    return 0;
}
