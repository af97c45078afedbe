// case: contracts-own/linux_list
// models: a Linux list with container_of
// target: lp64
// property: contracts
// verdict: safe
#include <stddef.h>

#define container_of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))

struct list_head {
    struct list_head *next;
    struct list_head *prev;
};

struct task {
    int pid;
    struct list_head tasks;
};

/*@ requires BS(head) && alloc(head) && block(head, struct list_head.next) == head;
    requires \forall struct list_head *x \in list(head, struct list_head.next); x == head || (Off(x) == 8 && alloc((struct task *)((char *)x - 8)));
    ensures \result == NULL || (in(&\result->tasks, list(head, struct list_head.next)) && \result->pid == pid);
*/
struct task *find(struct list_head *head, int pid)
{
    struct list_head *p = head->next;
    //@ loop invariant p == head || in(p, list(head, struct list_head.next));
    while (p != head) {
        struct task *t = container_of(p, struct task, tasks);
        if (t->pid == pid)
            return t;
        p = p->next;
    }
    return NULL;
}
