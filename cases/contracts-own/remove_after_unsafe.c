// case: contracts-own/remove_after_unsafe
// models: a node is taken out of a list and freed; unsafe twin
// target: lp64
// property: contracts
// verdict: unsafe
// error: use-after-free line 25
#include <stdlib.h>

struct node {
    struct node *next;
    int data;
};

/*@ requires BS(NULL) && alloc(p) && !BS(p) && block(p, struct node.next) == NULL;
    requires p->next != NULL && alloc(p->next) && Off(p->next) == 0 && Obj(p) != Obj(p->next);
    modifies {&p->next};
    frees {p->next};
    ensures p->next == \old(p->next->next);
    ensures !alloc(\old(p->next));
*/
void remove_after(struct node *p)
{
    struct node *gone = p->next;
    free(gone);
    p->next = gone->next;
}
