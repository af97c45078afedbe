// two kinds of lists may lead through one cell
#include <stddef.h>
struct node { int data; struct node *next; struct node *prev; };
struct other { struct other *first; int n; };
/*@ requires alloc(p) && alloc(o) && BS(NULL) && block(o, struct other.first) == NULL && !in(p, list(p->next, struct node.next)) ;
    modifies {&p->next};
    ensures block(o, struct other.first) == NULL; */
void bad(struct node *p, struct other *o) { *(long *)&p->next = 1; }
