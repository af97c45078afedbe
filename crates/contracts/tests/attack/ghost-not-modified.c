// a change of BS has to be allowed
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && !BS(p);
    modifies {&p->data}; */
void bad(struct node *p) {
    p->data = 1;
    //@ ghost BS += &p->next;
    p->data = 2;
}
