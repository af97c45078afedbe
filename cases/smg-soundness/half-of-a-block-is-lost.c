// case: smg-soundness/half-of-a-block-is-lost
// models: one of two lists that share a block is forgotten; leaks are not asked about, and the block is still on the other list
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 31

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link { struct link *next; };
struct task { struct link all; int state; struct link timer; };

static struct link *all, *timers;

int main(void) {
    struct task *task = malloc(sizeof *task);
    task->all.next = task->timer.next = 0;
    all = &task->all;
    timers = &task->timer;
    while (__VERIFIER_nondet_int()) {
    }
    all = 0;
    while (__VERIFIER_nondet_int()) {
    }
    task = (struct task *)((char *)timers - offsetof(struct task, timer));
    task->state = 1;
    assert(__VERIFIER_nondet_int() != 123456789);
    return 0;
}
