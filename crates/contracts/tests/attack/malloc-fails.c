// malloc may give null
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ ensures \result != NULL; */
struct node *bad(void) { return malloc(sizeof(struct node)); }
