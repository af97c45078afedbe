// a list cannot lead to a pointer that is blocking and in it
struct node { int data; struct node *next; struct node *prev; };
/*@ requires p != q && BS(q) && in(q, list(p, struct node.next));
    ensures \result == 1; */
int bad(struct node *p, struct node *q) { return 0; }
