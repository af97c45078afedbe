// case: content/priority-mix-bug
// models: a list in order of unsigned keys without a limit, looked at as signed ones
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 32

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct task { unsigned priority; struct task *next; };

int main(void)
{
    struct task *tasks = NULL;
    while (__VERIFIER_nondet_int()) {
        unsigned priority = __VERIFIER_nondet_uint();
        if (priority == 99)
            continue;
        struct task *t = malloc(sizeof *t), **at = &tasks;
        t->priority = priority;
        while (*at && (*at)->priority <= priority)
            at = &(*at)->next;
        t->next = *at;
        *at = t;
    }
    for (struct task *t = tasks; t; t = t->next)
        if (t->next)
            assert((int)t->priority <= (int)t->next->priority);
    while (tasks) {
        struct task *next = tasks->next;
        free(tasks);
        tasks = next;
    }
    return 0;
}
