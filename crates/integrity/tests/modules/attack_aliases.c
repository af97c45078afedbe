// Attacks on the engine: functions that begin with bad_ go wrong and must not be proved, those with ok_ are proved, those with fine_ do not go wrong.
#include "nodes.h"
extern struct node *ext_head; static struct node *glob; struct node gnode; static long count; struct node *table[4];
long fine_extern_head(void) { return ext_head ? ext_head->v : 0; }
long fine_static_head(void) { return glob ? glob->v : 0; }
void bad_static_store(long x) { glob = (struct node *)x; }
struct node *fine_static_get(void) { return glob; }
void bad_link_gnode_junk(struct node *n, long x) { gnode.next = (struct node *)x; if (n) n->next = &gnode; }
void fine_link_gnode(struct node *n) { if (n) n->next = &gnode; }
long bad_static_null(void) { return glob->v; }
static int ready; static long *buf;
long fine_ready(void) { return ready ? buf[0] : 0; }
void bad_goto(struct node *n, int c) { struct node *p = n; if (c) goto out; if (!p) return; out: p->v = 1; }
void bad_goto_uninit(int c) { struct node *p; if (c) goto out; p = make(); out: p->v = 1; }
long bad_past_end(struct node *n) { while (n) { n = n->next; if (n->v) break; } return 0; }
long bad_past_end2(struct node *n) { long s = 0; do { s += n->v; n = n->next; } while (n); return s; }
void bad_aliased(struct two *a, struct two *b) { if (!a || !b || !a->a) return; b->a = NULL; a->a->v = 3; }
void bad_aliased2(struct two *a, struct two *b) { if (!a || !b) return; a->a = make() ? a : NULL; b->a = (struct two *)16; a->a = a; }
void bad_recursive(struct two *t) { if (t->a) bad_recursive(t->a); if (t->b) bad_recursive(t->b); }
void ok_recursive(struct two *t) { if (!t) return; ok_recursive(t->a); ok_recursive(t->b); }
struct two *bad_recursive_break(struct two *t, int n) { struct two *s; if (!t) return NULL; s = t->a; t->a = (struct two *)8; if (n > 0) bad_recursive_break(s, n - 1); t->a = s; return t; }
struct node *bad_mutual_b(struct node *n, int k);
struct node *bad_mutual_a(struct node *n, int k) { if (k > 0) return bad_mutual_b(n, k - 1); return (struct node *)1; }
struct node *bad_mutual_b(struct node *n, int k) { if (k > 0) return bad_mutual_a(n, k - 1); return n; }
long bad_xor(struct two *t) { struct two *p; if (!t) return 0; p = (struct two *)((long)t->a ^ (long)t->b); return p->v; }
struct node *bad_masked(struct node *n) { return (struct node *)((unsigned long)n | 1); }
struct node *fine_masked(struct node *n) { return (struct node *)(((unsigned long)n | 1) & ~1UL); }
struct node *bad_truncated(struct node *n) { return (struct node *)(long)(int)(long)n; }
long bad_number_is_new(long x, struct node *n) { struct node *m, *s; if (!n) return 0; s = n->next; n->next = (struct node *)x; m = malloc(sizeof *m); if (!m) { n->next = s; return 0; } m->next = NULL; m->v = 0;
  if (n->next == m) { struct node *z = NULL; n->next = s; return z->v; } n->next = s; return 0; }
void bad_unlink_loop(struct node *n, struct node *k) { while (n && n->next != k) n = n->next; n->next = NULL; }
void bad_varargs(struct node *n, ...) { n->v = 1; }
long bad_oldstyle(); long bad_caller_oldstyle(void) { return bad_oldstyle(); }
long bad_oldstyle(n) struct node *n; { long s = 0; s = n->v; while (n) n = n->next; return s; }
static long sum(struct node *n) { long s = 0; while (n) { s += n->v; n = n->next; } return s; }
long ok_sum(struct node *n) { return sum(n); }
long bad_sum_junk(long x) { return sum((struct node *)x); }
long bad_sum_two(struct two *t) { return sum((struct node *)t); }
long bad_sum_unset(void) { struct node *n = malloc(sizeof *n); long s; if (!n) return 0; n->v = 0; s = sum(n); return s; }
long bad_sum_half(struct node *m) { struct node t; t.v = 0; if (m) { m->next = &t; sum(m); m->next = NULL; } return 0; }
struct node *bad_unset_in_list(struct node *l) { struct node *n = malloc(sizeof *n); if (!n) return l; if (l) { n->next = l->next; l->next = n; } else return n; return l; }
union pun { struct node *p; long x; }; struct tagged { union pun u; struct tagged *next; };
long bad_union(struct tagged *t) { if (!t) return 0; t->u.x = 5; return t->u.p ? t->u.p->v : 0; }
long bad_union_local(long x) { union pun u; u.x = x; return u.p ? u.p->v : 0; }
struct bits { unsigned a : 3; unsigned b : 5; struct bits *next; };
void ok_bits(struct bits *b) { if (b) { b->a = 1; b->b = b->a; } }
void bad_bits_wide(struct bits *b) { if (b) *(long *)b = 5; if (b) *(long *)((char *)b + 4) = 5; }
struct arr { struct arr *kid[4]; int n; };
struct arr *bad_kid(struct arr *a) { return a ? a->kid[a->n] : NULL; }
struct arr *bad_kid_signed(struct arr *a, int i) { if (a && i < 4) return a->kid[i]; return NULL; }
struct arr *fine_kid(struct arr *a, unsigned i) { if (a && i < 4) return a->kid[i]; return NULL; }
struct arr *ok_kid(struct arr *a) { return a ? a->kid[3] : NULL; }
void bad_kid_over(struct arr *a) { for (int i = 0; a && i <= 5; i++) a->kid[i] = NULL; }
void fine_kid_on_data(struct arr *a) { for (int i = 0; a && i <= 4; i++) a->kid[i] = NULL; }
struct dbl { double d; struct dbl *next; };
double ok_double(struct dbl *d) { double s = 0; while (d) { s += d->d; d = d->next; } return s; }
long bad_infinite(struct node *n) { for (;;) { n = n->next; } }
long bad_ternary(struct node *n, int c) { return (c ? n : n->next)->v; }
long bad_shortcircuit(struct node *n) { return n != NULL || n->v; }
void bad_swap(struct node **p, struct node **q) { struct node *t = *p; *p = (struct node *)8; *q = t; }
void ok_swap(struct node **p, struct node **q) { struct node *t = *p; *p = *q; *q = t; }
void bad_cell_step(struct node **p) { *(p + 1) = NULL; }
void bad_cell_junk(struct node **p, long x) { *p = (struct node *)x; }
void bad_cell_type(struct node **p, struct two *t) { *(struct two **)p = t; }
void bad_cell_char(struct node **p) { *(char *)p = 3; }
