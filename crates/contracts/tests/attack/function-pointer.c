// a call through a pointer may do anything
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p);
    modifies {&p->data};
    ensures p->data == 1; */
void bad(struct node *p, void (*f)(struct node *)) { p->data = 1; f(p); }
