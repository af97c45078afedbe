// case: content/second-link-bug
// models: nodes with a second pointer to the node after them, but a node that goes stays the target of one of them
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 66

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct task {
    struct task *next;
    int cost;
    struct task *waits_for;
};

struct plan {
    struct task *first, *last;
};

static void append(struct plan *plan, int cost)
{
    struct task *task = malloc(sizeof *task);
    task->next = task->waits_for = NULL;
    task->cost = cost;
    if (plan->last) {
        plan->last->next = task;
        plan->last->waits_for = task;
    } else {
        plan->first = task;
    }
    plan->last = task;
}

static void drop_cheap(struct plan *plan)
{
    struct task *before = NULL, *task = plan->first;
    while (task) {
        struct task *next = task->next;
        if (task->cost < 10) {
            if (before) {
                before->next = next;
            } else {
                plan->first = next;
            }
            free(task);
        } else {
            before = task;
        }
        task = next;
    }
    plan->last = before;
}

int main(void)
{
    struct plan plan = { NULL, NULL };
    while (__VERIFIER_nondet_int()) {
        append(&plan, __VERIFIER_nondet_int());
        if (__VERIFIER_nondet_int())
            drop_cheap(&plan);
    }
    for (struct task *task = plan.first; task; task = task->next)
        if (task->waits_for)
            task->waits_for->cost = 0;
    while (plan.first) {
        struct task *task = plan.first;
        plan.first = task->waits_for;
        free(task);
    }
    return 0;
}
