// two pointers may be the same
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && alloc(q);
    modifies {&p->data};
    ensures q->data == \old(q->data); */
void bad(struct node *p, struct node *q) { p->data = 1; }
/*@ requires alloc(p) && alloc(q) && Obj(p) != Obj(q);
    modifies {&p->data};
    ensures q->data == \old(q->data); */
void good(struct node *p, struct node *q) { p->data = 1; }
