// what a callee requires has to hold at the call
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p);
    modifies {&p->data};
    ensures p->data == 1; */
void set(struct node *p) { p->data = 1; }
/*@ modifies {&p->data};
    ensures p->data == 1; */
void bad(struct node *p) { set(p); }
/*@ requires alloc(p);
    modifies {&p->data};
    ensures p->data == 1; */
void good(struct node *p) { set(p); }
