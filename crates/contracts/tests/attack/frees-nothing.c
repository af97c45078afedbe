// freeing has to be allowed
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && Off(p) == 0; */
void bad(struct node *p) { free(p); }
