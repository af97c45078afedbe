// case: smg-soundness/string-as-long-as-a-node
// models: a string in a block of the same size as nodes on two lists loses its end at a place where the nodes have a link
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 56

#include <stdlib.h>
#include <string.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct ring { struct ring *next, *prev; };
struct task { struct ring all; long state; struct ring timer; };

static struct ring all = { &all, &all }, timers = { &timers, &timers };

static void add(struct ring *head, struct ring *r)
{
    r->next = head->next;
    r->prev = head;
    head->next->prev = r;
    head->next = r;
}

static void del(struct ring *r)
{
    r->prev->next = r->next;
    r->next->prev = r->prev;
}

static struct task *of_timer(struct ring *r)
{
    struct task *t = (struct task *)((char *)r - offsetof(struct task, timer));
    t->state = 1;
    return t;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        struct task *t = malloc(sizeof *t);
        t->state = 0;
        add(&all, &t->all);
        add(&timers, &t->timer);
    }
    while (timers.next != &timers) {
        struct task *t = of_timer(timers.next);
        del(&t->timer);
        del(&t->all);
        free(t);
    }
    char *s = strdup("a string of thirty-nine characters here");
    s[strlen(s)] = 'x';
    size_t n = strlen(s);
    free(s);
    return n > 3;
}
