// case: contracts-own/two_lists
// models: two lists in one node
// target: lp64
// property: contracts
// verdict: safe
#include <stdlib.h>

struct node {
    struct node *all;
    struct node *dirty;
    int data;
};

/*@ requires BS(NULL);
    requires all == NULL || (!BS(all) && block(all, struct node.all) == NULL);
    requires dirty == NULL || (!BS(dirty) && block(dirty, struct node.dirty) == NULL);
    ensures \result == NULL || (!BS(\result) && block(\result, struct node.all) == NULL && block(\result, struct node.dirty) == NULL);
    ensures \result == NULL || all == NULL || in(all, list(\result, struct node.all));
    ensures \result == NULL || dirty == NULL || in(dirty, list(\result, struct node.dirty));
*/
struct node *add(struct node *all, struct node *dirty)
{
    struct node *n = malloc(sizeof(struct node));
    if (n == NULL)
        return NULL;
    n->all = all;
    n->dirty = dirty;
    //@ ghost BS -= n;
    n->data = 1;
    return n;
}
