// a block is freed once
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && Off(p) == 0 && (q == NULL || (alloc(q) && Off(q) == 0));
    frees {p, q}; */
void bad(struct node *p, struct node *q) { free(p); free(q); }
/*@ requires alloc(p) && Off(p) == 0 && (q == NULL || (alloc(q) && Off(q) == 0 && p != q));
    frees {p, q}; */
void good(struct node *p, struct node *q) { free(p); free(q); }
