// a store of the same bytes that ends a link is a change
#include <stddef.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires BS(NULL) && alloc(p) && *((char *)&p->next) == 0 && block(p, struct node.next) == NULL;
    modifies \nothing;
    ensures block(p, struct node.next) == NULL; */
void bad(struct node *p) { *((char *)&p->next) = 0; }
