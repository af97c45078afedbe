// of two members of a list either may come first
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires in(q, list(p, struct node.next)) && in(r, list(p, struct node.next));
    ensures in(r, list(q, struct node.next)); */
void bad(struct node *p, struct node *q, struct node *r) { }
/*@ requires in(q, list(p, struct node.next)) && in(r, list(p, struct node.next));
    ensures in(r, list(q, struct node.next)) || in(q, list(r, struct node.next)); */
void good(struct node *p, struct node *q, struct node *r) { }
