// an argument of a predicate has the value of the call, not that of entry
struct node { int data; struct node *next; struct node *prev; };
/*@ predicate was(struct node *x, int n) = \old(x->data) == n; */
/*@ requires alloc(p) && alloc(p->next) && p->data == 1 && p->next->data == 2 && Obj(p) != Obj(p->next);
    modifies {&p->next};
    ensures was(p->next, 2); */
void bad(struct node *p) { p->next = p; }
