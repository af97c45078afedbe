// a copied structure copies its link
#include <stddef.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && alloc(q) && Obj(p) != Obj(q) && BS(NULL) && BS(p) && block(q, struct node.next) == NULL;
    modifies {&p->data, &p->next, &p->prev};
    ensures block(p, struct node.next) == p; */
void bad(struct node *p, struct node *q) { *p = *q; }
