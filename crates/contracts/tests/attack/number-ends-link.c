// a number in the cell ends the link: another pointer there makes none
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && BS(NULL) && q != NULL && !BS(q) && block(q, struct node.next) == NULL && !in(p, list(q, struct node.next));
    modifies {&p->next};
    ensures in(q, list(p, struct node.next)); */
void bad(struct node *p, struct node *q)
{
    struct node **pp = &p->next;
    p->next = NULL;
    *(long *)&p->next = 7;
    *pp = q;
}
/*@ requires alloc(p) && BS(NULL) && q != NULL && !BS(q) && block(q, struct node.next) == NULL && !in(p, list(q, struct node.next));
    modifies {&p->next};
    ensures in(q, list(p, struct node.next)); */
void good(struct node *p, struct node *q)
{
    struct node **pp = &p->next;
    p->next = NULL;
    *pp = q;
}
