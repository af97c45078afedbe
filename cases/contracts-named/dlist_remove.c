// case: contracts-named/dlist_remove
// models: HAVOC low-level reachability, Figure 12, dlist_remove
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
    requires e != head && in(e, list(head, struct _LIST_ENTRY.Flink));
    modifies {e, &e->Blink->Flink, &e->Flink->Blink};
    ensures ring(head);
    ensures BS(e) && !in(e, list(head, struct _LIST_ENTRY.Flink));
    ensures \forall LIST_ENTRY *x \in \old(list(head, struct _LIST_ENTRY.Flink)); x == e || in(x, list(head, struct _LIST_ENTRY.Flink));
    ensures \forall LIST_ENTRY *x \in list(head, struct _LIST_ENTRY.Flink); in(x, \old(list(head, struct _LIST_ENTRY.Flink)));
*/
void dlist_remove(LIST_ENTRY *head, LIST_ENTRY *e)
{
    (void)head;
    LIST_ENTRY *after = e->Flink;
    LIST_ENTRY *before = e->Blink;
    before->Flink = after;
    after->Blink = before;
    //@ ghost BS += e;
}
