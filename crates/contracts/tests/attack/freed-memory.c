// what was freed cannot be read
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && Off(p) == 0;
    frees {p}; */
int bad(struct node *p) { free(p); return p->data; }
