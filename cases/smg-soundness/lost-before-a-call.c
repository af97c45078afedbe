// case: smg-soundness/lost-before-a-call
// models: a block as large as those on two lists is lost right before a call of a function that works on one of the lists
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 31

#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link { struct link *next; };
struct task { struct link all; int state; struct link timer; };

static struct link *all, *timers;

static void wake(void) {
    for (struct link *at = timers; at; at = at->next) {
        struct task *task = (struct task *)((char *)at - offsetof(struct task, timer));
        task->state = 1;
    }
}

int main(void) {
    struct task *task = malloc(sizeof *task);
    task->all.next = task->timer.next = 0;
    all = &task->all;
    timers = &task->timer;
    task = malloc(sizeof *task);
    task = 0;
    wake();
    while (__VERIFIER_nondet_int()) {
    }
    task = (struct task *)((char *)timers - offsetof(struct task, timer));
    free(task);
    return 0;
}
