// a cycle with a blocking pointer has no null
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && BS(p) && block(p, struct node.next) == p;
    ensures \result == 0; */
int bad(struct node *p) { return p->next != 0; }
