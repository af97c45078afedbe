// what a callee may change is not known any more
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p);
    modifies {&p->data}; */
void touch(struct node *p) { p->data = 7; }
/*@ requires alloc(p);
    modifies {&p->data};
    ensures p->data == \old(p->data); */
void bad(struct node *p) { touch(p); }
/*@ requires alloc(p);
    modifies {&p->data};
    ensures p->next == \old(p->next); */
void good(struct node *p) { touch(p); }
