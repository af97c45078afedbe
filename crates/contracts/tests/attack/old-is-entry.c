// old means the entry of the function
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p);
    modifies {&p->data};
    ensures p->data == \old(p->data) + 1; */
void bad(struct node *p) { p->data = p->data + 1; p->data = p->data + 1; }
