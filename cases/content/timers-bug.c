// case: content/timers-bug
// models: a key is changed where it is
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 69

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct timer { int due; struct timer *next; };

static struct timer *timers;

static void start(int due)
{
    struct timer *t = malloc(sizeof *t), *before = NULL, *at = timers;
    t->due = due;
    while (at && at->due < due) {
        before = at;
        at = at->next;
    }
    t->next = at;
    if (before)
        before->next = t;
    else
        timers = t;
}

static void stop(int due)
{
    struct timer **at = &timers;
    while (*at && (*at)->due != due)
        at = &(*at)->next;
    if (*at) {
        struct timer *gone = *at;
        *at = gone->next;
        free(gone);
    }
}

static void delay(int due, int later)
{
    for (struct timer *t = timers; t; t = t->next)
        if (t->due == due) {
            t->due = later;
            return;
        }
}

int main(void)
{
    for (;;) {
        int choice = __VERIFIER_nondet_int();
        if (choice == 0)
            break;
        if (choice == 1)
            start(__VERIFIER_nondet_int());
        else if (choice == 2)
            stop(__VERIFIER_nondet_int());
        else
            delay(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    }
    while (timers) {
        struct timer *first = timers;
        timers = first->next;
        assert(!timers || first->due <= timers->due);
        free(first);
    }
    return 0;
}
