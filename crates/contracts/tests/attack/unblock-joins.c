// where a blocking pointer is taken away the list goes on
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && alloc(q) && p != q && BS(q) && block(p, struct node.next) == q && block(q, struct node.next) != q;
    modifies {q, &p->data};
    ensures !in(q, list(p, struct node.next)); */
void bad(struct node *p, struct node *q)
{
    p->data = 1;
    //@ ghost BS -= q;
    p->data = 2;
}
