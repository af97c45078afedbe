// structures may overlap
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && alloc(q) && p != q;
    modifies {&p->data};
    ensures q->data == \old(q->data) && q->next == \old(q->next); */
void bad(struct node *p, struct node *q) { p->data = 1; }
