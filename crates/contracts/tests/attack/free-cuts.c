// a list does not lead through what was freed
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && alloc(q) && Obj(p) != Obj(q) && Off(q) == 0 && r != q && in(q, list(p, struct node.next)) && in(r, list(q, struct node.next));
    frees {q};
    ensures in(r, list(p, struct node.next)); */
void bad(struct node *p, struct node *q, struct node *r) { free(q); }
