// case: contracts-own/free_list
// models: a free list inside one block
// target: lp64
// property: contracts
// verdict: safe
#include <stddef.h>

struct cell {
    struct cell *next;
    long pad;
};

struct pool {
    struct cell *free;
};

/*@ requires BS(NULL) && alloc(p) && (p->free == NULL || (!BS(p->free) && block(p->free, struct cell.next) == NULL));
    requires \forall struct cell *x \in list(p->free, struct cell.next); x == NULL || (alloc(x) && Obj(x) != Obj(p));
    modifies {&p->free};
    ensures \result == \old(p->free);
    ensures p->free == NULL || (\result != NULL && in(p->free, \old(list(p->free, struct cell.next))));
    ensures \result == NULL || p->free == NULL || p->free != \result;
*/
struct cell *take(struct pool *p)
{
    struct cell *c = p->free;
    if (c != NULL)
        p->free = c->next;
    return c;
}
