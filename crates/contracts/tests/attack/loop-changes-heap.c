// a loop that stores changes the heap
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && p->data == 0;
    modifies {&p->data};
    ensures p->data == 0; */
void bad(struct node *p, int n) {
    int i = 0;
    //@ loop invariant 0 <= i;
    while (i < n) {
        p->data = i;
        i = i + 1;
        if (i == 1000) return;
    }
}
