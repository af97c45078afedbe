// a ring needs a blocking pointer
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && BS(p) && p->next == p && block(p, struct node.next) == p;
    modifies {p}; */
void bad(struct node *p) {
    p->data = p->data;
    //@ ghost BS -= p;
    p->data = p->data;
}
