// case: contracts-named/list_appl
// models: HAVOC low-level reachability, Figure 12, list_appl (two lists with parent pointers)
// target: lp64
// property: contracts
// verdict: safe
#include <stddef.h>

#define CONTAINING_RECORD(a, T, f) ((T *)((char *)(a) - offsetof(T, f)))

typedef struct _LIST_ENTRY {
    struct _LIST_ENTRY *Flink;
    struct _LIST_ENTRY *Blink;
} LIST_ENTRY;

struct manager {
    LIST_ENTRY idle;
    LIST_ENTRY busy;
};

typedef struct item {
    int state;                  /* 0 in the idle list, 1 in the busy list */
    struct manager *parent;
    LIST_ENTRY link;
} ITEM;

/*@ predicate ring(LIST_ENTRY *h) = BS(h) && block(h, struct _LIST_ENTRY.Flink) == h && block(h, struct _LIST_ENTRY.Blink) == h
      && (\forall LIST_ENTRY *x \in list(h, struct _LIST_ENTRY.Flink); alloc(x) && in(x->Flink, list(h, struct _LIST_ENTRY.Flink)) && x->Flink->Blink == x)
      && (\forall LIST_ENTRY *x \in list(h, struct _LIST_ENTRY.Flink); in(x->Blink, list(h, struct _LIST_ENTRY.Flink)) && x->Blink->Flink == x); */
/*@ predicate apart(LIST_ENTRY *h) = \forall LIST_ENTRY *x \in list(h, struct _LIST_ENTRY.Flink); \forall LIST_ENTRY *y \in list(h, struct _LIST_ENTRY.Flink); x == y || Obj(x) != Obj(y); */
/*@ predicate items(struct manager *m, LIST_ENTRY *h, int n) = ring(h)
      && (\forall LIST_ENTRY *x \in list(h, struct _LIST_ENTRY.Flink); x == h || (Off(x) == 16 && Obj(x) != Obj(m) && alloc((ITEM *)((char *)x - 16))))
      && (\forall LIST_ENTRY *x \in list(h, struct _LIST_ENTRY.Flink); x == h || (((ITEM *)((char *)x - 16))->state == n && ((ITEM *)((char *)x - 16))->parent == m)); */

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

/*@ requires alloc(m);
    requires items(m, &m->idle, 0);
    requires items(m, &m->busy, 1);
    requires it != NULL && &it->link != &m->idle && in(&it->link, list(&m->idle, struct _LIST_ENTRY.Flink));
    modifies {&it->state, &it->link, &it->link.Blink, &it->link.Blink->Flink, &it->link.Flink->Blink, &m->busy.Flink, &m->busy.Flink->Blink};
    ensures items(m, &m->idle, 0);
    ensures items(m, &m->busy, 1);
    ensures in(&it->link, list(&m->busy, struct _LIST_ENTRY.Flink)) && !in(&it->link, list(&m->idle, struct _LIST_ENTRY.Flink));
    ensures \forall LIST_ENTRY *x \in \old(list(&m->idle, struct _LIST_ENTRY.Flink)); x == &it->link || in(x, list(&m->idle, struct _LIST_ENTRY.Flink));
    ensures \forall LIST_ENTRY *x \in list(&m->idle, struct _LIST_ENTRY.Flink); in(x, \old(list(&m->idle, struct _LIST_ENTRY.Flink)));
    ensures \forall LIST_ENTRY *x \in \old(list(&m->busy, struct _LIST_ENTRY.Flink)); in(x, list(&m->busy, struct _LIST_ENTRY.Flink));
    ensures \forall LIST_ENTRY *x \in list(&m->busy, struct _LIST_ENTRY.Flink); x == &it->link || in(x, \old(list(&m->busy, struct _LIST_ENTRY.Flink)));
*/
void start(struct manager *m, ITEM *it)
{
    dlist_remove(&m->idle, &it->link);
    it->state = 1;
    dlist_add(&m->busy, &it->link);
}

/*@ requires alloc(m);
    requires items(m, &m->idle, 0);
    requires items(m, &m->busy, 1);
    modifies union(decr(list(m->idle.Flink, struct _LIST_ENTRY.Flink), 16), union(union(list(&m->idle, struct _LIST_ENTRY.Flink), incr(list(&m->idle, struct _LIST_ENTRY.Flink), 8)), union(list(&m->busy, struct _LIST_ENTRY.Flink), incr(list(&m->busy, struct _LIST_ENTRY.Flink), 8))));
    ensures items(m, &m->busy, 1);
    ensures m->idle.Flink == &m->idle && m->idle.Blink == &m->idle;
    ensures \forall LIST_ENTRY *x \in \old(list(&m->idle, struct _LIST_ENTRY.Flink)); x == &m->idle || in(x, list(&m->busy, struct _LIST_ENTRY.Flink));
    ensures \forall LIST_ENTRY *x \in \old(list(&m->busy, struct _LIST_ENTRY.Flink)); in(x, list(&m->busy, struct _LIST_ENTRY.Flink));
*/
void start_all(struct manager *m)
{
    //@ loop invariant items(m, &m->idle, 0);
    //@ loop invariant items(m, &m->busy, 1);
    //@ loop invariant \forall LIST_ENTRY *x \in list(&m->idle, struct _LIST_ENTRY.Flink); in(x, \old(list(&m->idle, struct _LIST_ENTRY.Flink)));
    //@ loop invariant \forall LIST_ENTRY *x \in list(&m->busy, struct _LIST_ENTRY.Flink); in(x, union(\old(list(&m->idle, struct _LIST_ENTRY.Flink)), \old(list(&m->busy, struct _LIST_ENTRY.Flink))));
    //@ loop invariant \forall LIST_ENTRY *x \in \old(list(&m->idle, struct _LIST_ENTRY.Flink)); in(x, union(list(&m->idle, struct _LIST_ENTRY.Flink), list(&m->busy, struct _LIST_ENTRY.Flink)));
    //@ loop invariant \forall LIST_ENTRY *x \in \old(list(&m->busy, struct _LIST_ENTRY.Flink)); in(x, list(&m->busy, struct _LIST_ENTRY.Flink));
    while (m->idle.Flink != &m->idle) {
        ITEM *it = CONTAINING_RECORD(m->idle.Flink, ITEM, link);
        start(m, it);
    }
}
