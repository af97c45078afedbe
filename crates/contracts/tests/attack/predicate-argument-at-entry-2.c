// what a name stands for is not looked up again at entry
#include <stddef.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && p->data == 1;
    modifies {&p->data};
    ensures \let d = p->data; \old(d == 1); */
void bad(struct node *p) { p->data = 2; }
