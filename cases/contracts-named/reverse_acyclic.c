// case: contracts-named/reverse_acyclic
// models: HAVOC low-level reachability, Figure 12, reverse_acyclic
// target: lp64
// property: contracts
// verdict: safe
#include <stddef.h>

struct node {
    int data;
    struct node *next;
};

/*@ predicate ends(struct node *p) = p == NULL || (!BS(p) && block(p, struct node.next) == NULL); */
/*@ predicate nodes(struct node *p) = ends(p) && (\forall struct node *x \in list(p, struct node.next); x == NULL || (Off(x) == 0 && alloc(x))); */

/*@ requires BS(NULL) && nodes(head);
    modifies incr(list(head, struct node.next), 8);
    ensures ends(\result);
    ensures \forall struct node *x \in \old(list(head, struct node.next)); in(x, list(\result, struct node.next));
    ensures \forall struct node *x \in list(\result, struct node.next); in(x, \old(list(head, struct node.next)));
*/
struct node *reverse_acyclic(struct node *head)
{
    struct node *cur = head;
    struct node *prev = NULL;
    //@ loop invariant ends(cur);
    //@ loop invariant ends(prev);
    //@ loop invariant \forall struct node *x \in list(cur, struct node.next); x == NULL || (in(x, \old(list(head, struct node.next))) && !in(x, list(prev, struct node.next)));
    //@ loop invariant \forall struct node *x \in list(prev, struct node.next); x == NULL || in(x, \old(list(head, struct node.next)));
    //@ loop invariant \forall struct node *x \in \old(list(head, struct node.next)); in(x, list(cur, struct node.next)) || in(x, list(prev, struct node.next));
    while (cur != NULL) {
        struct node *next = cur->next;
        cur->next = prev;
        prev = cur;
        cur = next;
    }
    return prev;
}
