// a list does not lead through what a callee may free
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && Off(p) == 0;
    frees {p}; */
void drop(struct node *p);
/*@ requires alloc(p) && alloc(q) && alloc(r) && Obj(p) != Obj(q) && Obj(p) != Obj(r) && Obj(q) != Obj(r) && Off(q) == 0;
    requires BS(NULL) && block(p, struct node.next) == NULL && in(q, list(p, struct node.next)) && in(r, list(q, struct node.next));
    requires \forall struct node *x \in list(p, struct node.next); x == p || x == q || x == r;
    frees {q};
    ensures in(r, list(p, struct node.next)); */
void bad(struct node *p, struct node *q, struct node *r) { drop(q); }
