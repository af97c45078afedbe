// a new block holds anything
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ ensures \result == NULL || \result->data == 0; */
struct node *bad(void) { return malloc(sizeof(struct node)); }
