// a store cuts the list
#include <stddef.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && BS(NULL) && !BS(p) && block(p, struct node.next) == ((struct node *)0) && in(q, list(p, struct node.next));
    modifies {&p->next};
    ensures in(q, list(p, struct node.next)); */
void bad(struct node *p, struct node *q) { p->next = ((struct node *)0); }
