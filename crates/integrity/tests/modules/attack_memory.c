// Attacks on the engine: functions that begin with bad_ go wrong and must not be proved, those with ok_ are proved, those with fine_ do not go wrong.
#include "nodes.h"
struct node *bad_half_zero(long x) { struct node *n = calloc(1, sizeof *n); if (!n) abort(); n->next = (struct node *)x; memset((char *)&n->next + 4, 0, 4); return n; }
struct node *bad_half_store(struct node *m) { struct node *n = calloc(1, sizeof *n); if (!n) abort(); n->next = m; *(int *)&n->next = 5; return n; }
void bad_copy_short(struct packed *p) { struct { struct packed *p; long x; } s; s.p = NULL; s.x = 3; if (p) memcpy(p, &s, sizeof *p); }
void bad_copy_other(struct node *n, struct two *t) { if (n && t) memcpy(n, t, sizeof *n); }
void bad_copy_over(struct node *n, struct two *t) { if (n && t) memcpy(n, t, sizeof *t); }
void bad_fill(struct node *n) { if (n) memset(n, 1, sizeof *n); }
void bad_fill_over(struct node *n) { struct node t; memset(&t, 0, sizeof t + 8); if (n) n->v = t.v; }
void bad_copy_local(struct node *n) { struct node t; if (n) { t.v = 3; *n = t; } }
void ok_copy_local(struct node *n) { struct node t; if (n) { t.v = 3; t.next = n; *n = t; } }
struct node *bad_small(void) { struct node *n = malloc(8); if (!n) abort(); return n; }
struct two *bad_type(void) { struct node *n = make(); return (struct two *)n; }
struct two *bad_cast_param(struct node *n) { return (struct two *)n; }
void bad_interior(struct two *t) { if (t) t->a = (struct two *)&t->a; }
struct two *bad_interior_result(struct two *t) { return t ? (struct two *)&t->b : NULL; }
void bad_other_prefix(struct other *o) { struct node *n = (struct node *)o; if (n) n->v = 3; }
void bad_past(struct node *n) { if (n) n[1].v = 3; }
void bad_before(struct node *n) { if (n) (n - 1)->v = 3; }
void bad_unaligned(struct node *n) { if (n) *(long *)((char *)n + 4) = 3; }
void bad_tail(struct node *n) { if (n) *(long *)((char *)n + 12) = 0; }
struct node *bad_malloc_unchecked(void) { struct node *n = malloc(sizeof *n); n->next = NULL; return n; }
struct node *bad_uninit(void) { struct node *n = malloc(sizeof *n); if (!n) abort(); n->v = 0; return n; }
struct node *bad_uninit_local(int c) { struct node *n; if (c) n = NULL; return n; }
long bad_double_free(void) { struct node *n = make(); free(n); free(n); return 0; }
long bad_after_free(void) { struct node *n = malloc(sizeof *n); if (!n) abort(); n->v = 3; free(n); return n->v; }
struct node *bad_return_freed(void) { struct node *n = malloc(sizeof *n); if (!n) abort(); n->v = 3; n->next = NULL; free(n); return n; }
void bad_link_freed(struct node *m) { struct node *n = malloc(sizeof *n); if (!n) abort(); n->next = NULL; free(n); if (m) m->next = n; }
void bad_free_linked(struct node *m) { struct node *n = make(); if (m) m->next = n; free(n); }
void bad_free_node(struct node *m) { free(m); }
void bad_free_local(void) { struct node t; free(&t); }
long bad_array(long i) { long a[4] = {0}; return a[i]; }
long bad_array_wrap(unsigned n) { long a[4] = {0}; unsigned i = n; if ((int)i < 4) return a[(int)i]; return 0; }
long bad_index_overflow(int i) { long a[4] = {0}; if (i + 1 < 5 && i >= 0) return a[i]; return 0; }
struct packed *bad_small_packed(void) { struct packed *p = malloc(16); if (!p) abort(); p->p = NULL; p->x = 0; return p; }
void bad_assign_short(struct packed *p) { struct { struct packed *p; long x; } s; s.p = NULL; s.x = 3; if (p) *p = *(struct packed *)&s; }
struct node *bad_half_twice(long x) { struct node *n = calloc(1, sizeof *n); if (!n) abort(); n->next = (struct node *)x; *(int *)&n->next = 5; memset(&n->next, 0, 4); return n; }
static long *of_param(long x) { return &x; }
long bad_param_of_callee(long x) { return *of_param(x); }
