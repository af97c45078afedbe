// Attacks on the engine: functions that begin with bad_ go wrong and must not be proved, those with ok_ are proved, those with fine_ do not go wrong.
#include "nodes.h"
struct node *bad_kept_unset(int n) { struct node *k = malloc(sizeof *k); if (!k) abort(); k->v = 0; while (n-- > 0) k->v++; return k; }
struct node *ok_kept_set(int n) { struct node *k = malloc(sizeof *k); if (!k) abort(); k->v = 0; while (n-- > 0) k->v++; k->next = NULL; return k; }
struct node *bad_kept_replaced(int n) { struct node *k = make(); while (n-- > 0) { k = malloc(sizeof *k); if (!k) abort(); } return k; }
struct node *bad_kept_twice(int n) { struct node *a = malloc(sizeof *a), *b; if (!a) abort(); a->next = NULL; b = a; while (n-- > 0) { free(b); b = malloc(sizeof *b); if (!b) abort(); b->next = NULL; } return a; }
struct node *bad_kept_inside(int n) { struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); if (!a || !b) abort(); a->next = b; b->next = NULL; while (n-- > 0) b->v = 3; free(b); return a; }
struct node *bad_freed_in_loop(int n) { struct node *a = malloc(sizeof *a); if (!a) abort(); a->next = NULL; while (n-- > 0) free(a); return a; }
struct node *bad_open(struct node *l) { struct node *head = NULL, *last = NULL; for (; l; l = l->next) { struct node *m = malloc(sizeof *m); if (!m) abort(); m->v = l->v; if (last) last->next = m; else head = m; last = m; } return head; }
struct node *ok_closed_later(struct node *l) { struct node *head = NULL, *last = NULL; for (; l; l = l->next) { struct node *m = malloc(sizeof *m); if (!m) abort(); m->v = l->v; if (last) last->next = m; else head = m; last = m; } if (last) last->next = NULL; return head; }
struct node *bad_open_returned_early(struct node *l) { struct node *head = NULL, *last = NULL; for (; l; l = l->next) { struct node *m = malloc(sizeof *m); if (!m) return head; m->v = l->v; if (last) last->next = m; else head = m; last = m; } if (last) last->next = NULL; return head; }
void bad_two_open(struct two *l) { struct two *t = l; while (t) { t->b = (struct two *)8; t = t->a; } }
void bad_undone_for_one(struct two *l) { struct two *t; for (t = l; t; t = t->a) t->b = (struct two *)8; for (t = l; t && t->v; t = t->a) t->b = NULL; }
long bad_data_alias(struct node *a, struct node *b) { struct node *p = NULL; if (!a || !b) return 0; a->v = 1; b->v = 0; if (a->v == 0) return p->v; return 0; }
static void clear(struct node *n) { while (n) { n->v = 0; n = n->next; } }
long bad_data_call(struct node *a) { struct node *p = NULL; if (!a) return 0; a->v = 1; clear(a); if (a->v == 0) return p->v; return 0; }
long bad_data_loop(struct node *a, struct node *b) { struct node *p = NULL, *q; if (!a) return 0; a->v = 1; for (q = b; q; q = q->next) q->v = 0; if (a->v == 0) return p->v; return 0; }
static void drop(struct node *n, int k) { while (k-- > 0) if (n) n->next = NULL; }
long bad_link_call(struct node *a) { if (!a || !a->next) return 0; drop(a, 3); return a->next->v; }
long bad_link_recursive(struct node *a) { if (!a || !a->next) return 0; bad_link_recursive(a->next); if (a->v) a->next = NULL; if (a->next) bad_link_recursive(a); return a->next->v; }
static struct node *last(struct node *n) { if (!n) return NULL; while (n->next) n = n->next; return n; }
long bad_last(struct node *n) { return last(n)->v; }
long ok_last(struct node *n) { return n ? last(n)->v : 0; }
static struct node *maybe(struct node *n) { while (n && n->v) n = n->next; return n; }
long bad_maybe(struct node *n) { return n ? maybe(n)->v : 0; }
void bad_goto_back(struct node *n) { again: if (n->v) { n = n->next; goto again; } }
void bad_goto_into(struct node *n, int c) { if (c) goto in; while (n) { n = n->next; in: n->v = 1; } }
void bad_switch(struct node *n, int c) { switch (c) { case 1: if (!n) return; break; case 2: n = make(); break; default: break; } n->v = 1; }
void ok_switch(struct node *n, int c) { switch (c) { case 1: if (!n) return; break; case 2: n = make(); break; default: return; } n->v = 1; }
void bad_do(struct node *n) { do n = n->next; while (n && n->v); }
void bad_comma(struct node *n) { for (struct node *p = n; p = p->next, p->v; ) ; }
struct node *bad_literal(int c) { struct node *p = NULL; if (c) { p = &(struct node){ 1, NULL }; } return p; }
long bad_literal_used(int c, int n) { struct node *p = NULL; if (c) { p = &(struct node){ 1, NULL }; } while (n-- > 0) ; return p ? p->v : 0; }
long bad_shift(unsigned long x) { struct node *p = NULL; unsigned long a = x << 64 >> 1, b = x << 64 >> 1; if (a != b) return p->v; return 0; }
struct node *bad_ones(struct node *n) { struct node *m; memset(&m, 0xff, sizeof m); return n ? n : m; }
struct node *fine_zeros(void) { struct node *m; memset(&m, 0, sizeof m); return m; }
long bad_vla(int n) { struct node *a[n]; a[n] = NULL; return 0; }
struct node *bad_realloc(struct node *n) { return realloc(n, 8); }
struct node *bad_array_of(int i) { struct node *a[2] = { NULL, NULL }; return a[i]; }
struct node *fine_array_of(void) { struct node *a[2] = { NULL, NULL }; return a[1]; }
struct node *bad_array_unset(void) { struct node *a[2]; a[0] = NULL; return a[1]; }
struct node *bad_block_of_two(void) { struct node *a = malloc(2 * sizeof *a); if (!a) abort(); a[0].next = &a[1]; a[1].next = NULL; return a; }
void bad_number_is_new(long x, struct node *n, struct node *k) { struct node *m, *s, *z = NULL; if (!n || !k || k == n) return; s = n->next; n->next = (struct node *)x; m = malloc(sizeof *m); if (!m) { n->next = s; return; } m->next = NULL; m->v = 0; k->next = m;
  if (n->next == m) { n->next = s; z->v = 1; return; } n->next = s; }
static void cut(struct node *n, int k) { if (k > 0) { cut(n, k - 1); return; } if (n) n->next = NULL; }
long bad_cut(struct node *a) { if (!a || !a->next) return 0; cut(a, 1); return a->next->v; }
