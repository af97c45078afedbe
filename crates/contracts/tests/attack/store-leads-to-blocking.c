// a list does not go on through a blocking pointer
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && BS(q) && p != q;
    modifies {&p->next};
    ensures in(q, list(p, struct node.next)); */
void bad(struct node *p, struct node *q) { p->next = q; }
/*@ requires alloc(p) && BS(q) && p != q;
    modifies {&p->next};
    ensures !in(q, list(p, struct node.next)); */
void good(struct node *p, struct node *q) { p->next = q; }
