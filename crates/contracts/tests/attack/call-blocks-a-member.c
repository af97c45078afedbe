// a callee may make a member of a list blocking
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p);
    modifies {p}; */
void change(struct node *p);
/*@ requires alloc(p) && alloc(q) && Obj(p) != Obj(q) && in(q, list(p, struct node.next));
    requires BS(NULL) && block(p, struct node.next) == NULL;
    requires \forall struct node *x \in list(p, struct node.next); x == p || x == q;
    modifies {q};
    ensures in(q, list(p, struct node.next)); */
void bad(struct node *p, struct node *q) { change(q); }
