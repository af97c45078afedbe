// case: content/slots-bug
// models: every node holds an index into one table; with a fault
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 50
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct timer {
    int slot;
    struct timer *next;
};

int main(void)
{
    int slots = __VERIFIER_nondet_int();
    int *due;
    struct timer *timers = NULL;
    struct timer *t;

    if (slots < 1 || slots > 256)
        return 0;
    due = calloc(slots, sizeof *due);
    if (due == NULL)
        abort();
    while (__VERIFIER_nondet_int()) {
        int slot = __VERIFIER_nondet_int();
        if (slot < 0 || slot > slots)
            continue;
        t = malloc(sizeof *t);
        if (t == NULL)
            abort();
        t->slot = slot;
        t->next = timers;
        timers = t;
    }
    /* put some of them off by one slot */
    for (t = timers; t != NULL; t = t->next) {
        if (__VERIFIER_nondet_int()) {
            t->slot++;
            if (t->slot == slots)
                t->slot = 0;
        }
    }
    while (timers != NULL) {
        t = timers;
        timers = t->next;
        due[t->slot] = 1;
        free(t);
    }
    free(due);
    return 0;
}
