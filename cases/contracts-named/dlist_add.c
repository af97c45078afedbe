// case: contracts-named/dlist_add
// models: HAVOC low-level reachability, Figure 12, dlist_add
// target: lp64
// property: contracts
// verdict: safe
#include <stddef.h>

typedef struct _LIST_ENTRY {
    struct _LIST_ENTRY *Flink;
    struct _LIST_ENTRY *Blink;
} LIST_ENTRY;

/*@ predicate ring(LIST_ENTRY *h) = BS(h) && block(h, struct _LIST_ENTRY.Flink) == h && block(h, struct _LIST_ENTRY.Blink) == h
      && (\forall LIST_ENTRY *x \in list(h, struct _LIST_ENTRY.Flink); alloc(x) && in(x->Flink, list(h, struct _LIST_ENTRY.Flink)) && x->Flink->Blink == x)
      && (\forall LIST_ENTRY *x \in list(h, struct _LIST_ENTRY.Flink); in(x->Blink, list(h, struct _LIST_ENTRY.Flink)) && x->Blink->Flink == x); */
/*@ predicate apart(LIST_ENTRY *h) = \forall LIST_ENTRY *x \in list(h, struct _LIST_ENTRY.Flink); \forall LIST_ENTRY *y \in list(h, struct _LIST_ENTRY.Flink); x == y || Obj(x) != Obj(y); */

/*@ requires ring(head) && apart(head);
    requires alloc(e) && BS(e) && (\forall LIST_ENTRY *x \in list(head, struct _LIST_ENTRY.Flink); Obj(x) != Obj(e));
    modifies {&head->Flink, &head->Flink->Blink, &e->Flink, &e->Blink};
    ensures ring(head);
    ensures !BS(e) && head->Flink == e;
    ensures \forall LIST_ENTRY *x \in \old(list(head, struct _LIST_ENTRY.Flink)); in(x, list(head, struct _LIST_ENTRY.Flink));
    ensures \forall LIST_ENTRY *x \in list(head, struct _LIST_ENTRY.Flink); x == e || in(x, \old(list(head, struct _LIST_ENTRY.Flink)));
*/
void dlist_add(LIST_ENTRY *head, LIST_ENTRY *e)
{
    e->Flink = head->Flink;
    e->Blink = head;
    head->Flink->Blink = e;
    head->Flink = e;
    //@ ghost BS -= e;
}
