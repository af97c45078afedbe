// Attacks on the engine: functions that begin with bad_ go wrong and must not be proved, those with ok_ are proved, those with fine_ do not go wrong.
// requires: needs_node: a != NULL
// requires: bad_at_n: outside(data, n)
// requires: bad_negated: !(a == b && a != NULL && b == a)
// requires: bad_vacuous: \forall struct node *x; x->v > 0 && a != NULL
// requires: bad_outside_alias: outside(q, 1)
// requires: bad_or: a != NULL || b != NULL
#include "nodes.h"
long bad_negated(struct node *a, struct node *b) { return a->v; }
long bad_vacuous(struct node *a) { return a->v; }
struct node *bad_outside_alias(struct node **p, struct node **q) { *q = (struct node *)8; return *p; }
long bad_or(struct node *a, struct node *b) { return a->v; }
static long needs(struct node *a) { long s = a->v; while (a) { s += a->v; a = a->next; } return s; }
long bad_callee(struct node *a) { return needs(a); }
static long needs_node(struct node *a) { long s = a->v; while (a) { s += a->v; a = a->next; } return s; }
long bad_caller(struct node *a) { return needs_node(a); }
long ok_caller(struct node *a) { return a ? needs_node(a) : 0; }
long bad_at_n(const long *data, unsigned long n) { return data[n]; }
