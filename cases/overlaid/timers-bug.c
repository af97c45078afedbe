// case: overlaid/timers-bug
// models: tasks on a list of all tasks, some of them on a list of running timers as well; a task is found from its timer
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 44

#include <stdlib.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct ring { struct ring *next, *prev; };

struct task {
    struct ring all;
    int state;
    struct ring timer;
};

#define task_of(p) ((struct task *)((char *)(p) - offsetof(struct task, timer)))

static void ring_init(struct ring *r) { r->next = r->prev = r; }

static void ring_add(struct ring *head, struct ring *r)
{
    r->next = head->next;
    r->prev = head;
    head->next->prev = r;
    head->next = r;
}

static void ring_del(struct ring *r)
{
    r->prev->next = r->next;
    r->next->prev = r->prev;
}

/* every timer that runs has a task in state 1; the last timer is done first */
static void tick(struct ring *timers)
{
    struct ring *r = timers->prev;
    while (r != timers) {
        struct ring *before = r->prev;
        if (__VERIFIER_nondet_int()) {
            ring_del(r);
            ring_init(r);
            task_of(r)->state = 2;
        }
        r = before;
    }
}

int main(void)
{
    struct ring all, timers;
    ring_init(&all);
    ring_init(&timers);
    while (__VERIFIER_nondet_int()) {
        struct task *t = malloc(sizeof *t);
        t->state = 0;
        ring_add(&all, &t->all);
        ring_init(&t->timer);
        if (__VERIFIER_nondet_int()) {
            ring_add(&timers, &t->timer);
            t->state = 1;
        }
        tick(&timers);
    }
    while (all.next != &all) {
        struct task *t = (struct task *)all.next;
        ring_del(&t->all);
        free(t);
    }
    tick(&timers);
    return 0;
}
