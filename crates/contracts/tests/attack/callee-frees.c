// what a callee may free is not there any more
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && Off(p) == 0;
    frees {p}; */
void drop(struct node *p) { free(p); }
/*@ requires alloc(p) && Off(p) == 0;
    frees {p}; */
int bad(struct node *p) { drop(p); return p->data; }
