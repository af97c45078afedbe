// a new block is as large as asked for
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ ensures \result == NULL || alloc(\result); */
struct node *bad(void) { return malloc(sizeof(struct node) - 1); }
/*@ ensures \result == NULL || alloc(\result); */
struct node *good(void) { return malloc(sizeof(struct node)); }
