// a new blocking pointer cuts the lists that lead through it
#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
/*@ requires alloc(q) && p != q && in(q, list(p, struct node.next));
    modifies {q};
    ensures in(q, list(p, struct node.next)); */
int bad(struct node *p, struct node *q)
{
    int i = 0;
    //@ ghost BS += q;
    i = 1;
    return i;
}
/*@ requires alloc(q) && p != q && in(q, list(p, struct node.next));
    modifies {q};
    ensures !in(q, list(p, struct node.next)); */
int good(struct node *p, struct node *q)
{
    int i = 0;
    //@ ghost BS += q;
    i = 1;
    return i;
}
