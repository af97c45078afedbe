// what a loop changes has to be in `modifies`
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(p) && n >= 0;
    modifies {&p->next}; */
void bad(struct node *p, int n)
{
    int i = 0;
    //@ loop invariant 0 <= i && i <= n;
    while (i < n) {
        p->data = i;
        i = i + 1;
    }
}
