// a blocking pointer that a store leads to is what stops the list
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && BS(q) && BS(NULL) && q != NULL && block(q, struct node.next) == NULL && !in(p, list(q, struct node.next));
    modifies {&p->next};
    ensures block(p, struct node.next) == NULL; */
void bad(struct node *p, struct node *q) { p->next = q; }
/*@ requires alloc(p) && BS(q) && BS(NULL) && q != NULL && block(q, struct node.next) == NULL && !in(p, list(q, struct node.next));
    modifies {&p->next};
    ensures block(p, struct node.next) == q; */
void good(struct node *p, struct node *q) { p->next = q; }
