// Attacks on the engine: functions that begin with bad_ go wrong and must not be proved, those with ok_ are proved, those with fine_ do not go wrong.
#include "nodes.h"
typedef void visit(struct node *); typedef long give(long); typedef struct node *maker(void);
long bad_uninit_callback(long x) { give *f; return f(x); }
long bad_null_callback(long x) { give *f = NULL; return f(x); }
long bad_cast_callback(struct node *n) { give *f = (give *)n; return f(3); }
long bad_number_callback(long n) { give *f = (give *)n; return f(3); }
static void evil(struct node *n) { if (n) n->next = (struct node *)8; }
void bad_known_callback(struct node *n) { visit *f = evil; f(n); }
static void each(struct node *n, visit *f) { while (n) { f(n); n = n->next; } }
void bad_passes_evil(struct node *n) { each(n, evil); }
void bad_broken_at_callback(struct node *n, visit *f) { struct node *s; if (!n) return; s = n->next; n->next = (struct node *)8; f(n); n->next = s; }
long fine_maker(maker *m) { struct node *n = m(); return n ? n->v : 0; }
static void bumps(struct node *n) { if (n) n->v++; }
void fine_passes_good(struct node *n) { each(n, bumps); }
struct holder { give *f; struct holder *next; };
long bad_null_in_node(void) { struct holder h; h.f = NULL; h.next = NULL; return h.f(3); }
long fine_in_node(struct holder *h) { return h && h->f ? h->f(3) : 0; }
void bad_frees(struct node *n) { void (*f)(void *) = free; if (n) f(n); }
long bad_lost_in_loop(give *g, int n, long x) { give *f = g; while (n-- > 0) if (n == 3) f = NULL; return f(x); }
long ok_kept_in_loop(give *g, int n, long x) { give *f = g; while (n-- > 0) x = f(x); return f(x); }
static void cutter(struct node *n) { if (n) n->next = NULL; }
static long visit_next(struct node *n, visit *f) { while (n) { if (n->next) { f(n); if (n->v) return n->next->v; } n = n->next; } return 0; }
long bad_passes_cutter(struct node *n) { return visit_next(n, cutter); }
static long twice(long x) { return x + x; }
static long apply(struct node *n, give *f) { long s = 0; while (n) { s += f(n->v); n = n->next; } return s; }
long ok_passes_harmless(struct node *n) { return apply(n, twice); }
static long maybe(struct node *n, give *f) { long s = 0; while (n) { s += f ? f(n->v) : n->v; n = n->next; } return s; }
long ok_without(struct node *n) { return maybe(n, NULL); }
long bad_without(struct node *n) { return apply(n, NULL); }
static long sometimes(struct node *n, give *f) { long s = 0; while (n) { if (n->v > 2) s += f ? f(n->v) : 0; else s += f(n->v); n = n->next; } return s; }
long bad_sometimes(struct node *n) { return sometimes(n, NULL); }
static void cut_all(struct node *x) { while (x) { struct node *y = x->next; x->next = NULL; x = y; } }
static void cut_by_name(struct node *x, int k) { void (*g)(struct node *) = cut_all; g(x); while (k > 0) k--; }
long bad_link_after_named(struct node *x, int k) { if (x && x->next) { cut_by_name(x, k); return x->next->v; } return 0; }
static struct node *maybe_null(struct node *x, int k) { while (k > 0) { k--; if (k == 7) return NULL; } return x; }
static struct node *maybe_by_name(struct node *x, int k) { struct node *(*g)(struct node *, int) = maybe_null; struct node *y = g(x, k); while (k > 0) k--; return y; }
long bad_result_of_named(struct node *x, int k) { if (!x) return 0; return maybe_by_name(x, k)->v; }
