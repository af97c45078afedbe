// a store must not close a cycle without a blocking pointer
#include <stddef.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires BS(NULL) && alloc(p) && !BS(p) && block(p, struct node.next) == NULL;
    modifies {&p->next}; */
void bad(struct node *p) { p->next = p; }
