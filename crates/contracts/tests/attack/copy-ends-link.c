// a structure without a link, copied over one with a link, ends it
#include <stddef.h>
struct node { struct node *next; };
/*@ requires alloc(p) && alloc(q) && Obj(p) != Obj(q) && BS(NULL) && r != NULL && !BS(r) && block(r, struct node.next) == NULL && !in(p, list(r, struct node.next)) && !in(q, list(r, struct node.next));
    modifies {&p->next, &q->next};
    ensures in(r, list(p, struct node.next)); */
void bad(struct node *p, struct node *q, struct node *r)
{
    struct node **pp = &p->next;
    p->next = NULL;
    *(long *)&q->next = 7;
    *p = *q;
    *pp = r;
}
/*@ requires alloc(p) && alloc(q) && Obj(p) != Obj(q) && BS(NULL) && r != NULL && !BS(r) && block(r, struct node.next) == NULL && !in(p, list(r, struct node.next)) && !in(q, list(r, struct node.next));
    modifies {&p->next, &q->next};
    ensures in(r, list(p, struct node.next)); */
void good(struct node *p, struct node *q, struct node *r)
{
    struct node **pp = &p->next;
    p->next = NULL;
    q->next = NULL;
    *p = *q;
    *pp = r;
}
