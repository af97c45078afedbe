// a ring leads back to its blocking head
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && BS(p) && p->next == p && block(p, struct node.next) == p;
    modifies {&p->data};
    ensures p->data == \old(p->data) + 1; */
void bad(struct node *p) { p->data = 0; }
