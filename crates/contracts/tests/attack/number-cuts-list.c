// a number in the cell cuts the list
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && p != q && in(q, list(p, struct node.next));
    modifies {&p->next};
    ensures in(q, list(p, struct node.next)); */
void bad(struct node *p, struct node *q) { *(long *)&p->next = 7; }
