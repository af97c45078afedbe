// Attacks on the engine: functions that begin with bad_ go wrong and must not be proved, those with ok_ are proved, those with fine_ do not go wrong.
#include "nodes.h"
static long total(struct node *n) { long s = 0; do { s += n->v; n = n->next; } while (n); return s; }
long ok_total(struct node *n) { return n ? total(n) : 0; }
long ok_total_new(void) { return total(make()); }
static long total_too(struct node *n) { long s = 0; do { s += n->v; n = n->next; } while (n); return s; }
long fine_total_too(struct node *n) { return n ? total_too(n) : 0; }
long bad_total_too(struct node *n) { return total_too(n); }
static long deep(struct node *n) { long s = n->v; for (struct node *p = n; p; p = p->next) s++; return n->next ? s + deep(n->next) : s; }
long ok_deep(struct node *n) { return n ? deep(n) : 0; }
static long deeper(struct node *n) { long s = n->v; for (struct node *p = n; p; p = p->next) s++; return s + deeper(n->next); }
long bad_deeper(struct node *n) { return n ? deeper(n) : 0; }
static void merge(struct two *a, struct two *b, struct two *to) { while (a && b) { to->a = a; to = a; a = a->a; } to->a = a ? a : b; to->a->b = to; }
void ok_merge_first(struct two *a, struct two *b, struct two *to) { if (a && to) merge(a, b, to); }
static void merge_none(struct two *a, struct two *b, struct two *to) { while (a && b) { to->a = a; to = a; a = a->a; } to->a = a ? a : b; to->a->b = to; }
void bad_merge_none(struct two *a, struct two *b, struct two *to) { if (to) merge_none(a, b, to); }
static long taken(struct node *n) { long s = 0; do { s += n->v; n = n->next; } while (n); return s; }
typedef long sum(struct node *);
sum *fine_give(void) { return taken; }
long bad_taken(struct node *n) { sum *f = fine_give(); return f(n); }
long bad_taken_known(struct node *n) { sum *f = taken; return f(n); }
