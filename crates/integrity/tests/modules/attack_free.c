// Nodes that are freed: nothing may lead to them at the next cut point.
#include "nodes.h"
static long total(struct node *p) { long n = 0; while (p) { n += p->v; p = p->next; } return n; }
long ok_free_new(void) { struct node *n = make(); long v = n->v; free(n); return v; }
long ok_free_counted(void) { struct node *n = make(); long v = total(n); free(n); return v; }
struct node *bad_free_returned(void) { struct node *n = make(); total(n); free(n); return n; }
void bad_double(void) { struct node *n = make(); total(n); free(n); free(n); }
long bad_use(void) { struct node *n = make(); total(n); free(n); return n->v; }
void bad_free_linked(struct node *a) { struct node *n = make(); total(n); if (a) a->next = n; free(n); }
void bad_free_argument(struct node *a) { free(a); }
void bad_free_next(struct node *a) { if (a) free(a->next); }
void bad_pop(struct node **pp) { struct node *n = *pp; if (!n) return; *pp = n->next; free(n); }
long bad_alias(struct node *a, struct node *b) { struct node *n = make(); total(n); if (a) a->next = n; struct node *m = a ? a->next : n; if (a) a->next = NULL; free(n); return m->v; }
void bad_free_stack(void) { struct node t; t.v = 0; t.next = NULL; total(&t); struct node *p = &t; free(p); }
static struct node global_node;
void bad_free_global(void) { struct node *p = &global_node; p->v = 1; free(p); }
void bad_loop(struct node *a) { while (a) { struct node *n = a->next; free(a); a = n; } }
static void drop(struct node *n) { if (n) { total(n); free(n); } }
long bad_caller(void) { struct node *n = make(); drop(n); return n->v; }
long fine_caller(void) { struct node *n = make(); long v = n->v; drop(n); return v; }
static void drop_new(int k) { while (k > 0) k--; struct node *n = make(); total(n); free(n); }
long fine_drops(struct node *a, int k) { drop_new(k); return a ? a->v : 0; }
long bad_freed_equals(void) { struct node *n = make(); total(n); long v = 0; free(n); struct node *m = make(); total(m); if (m == n) return ((struct node *) NULL)->v; free(m); return v; }
void fine_link_and_unlink(struct node *a) { struct node *n = make(); if (a) { struct node *old = a->next; a->next = n; total(a); a->next = old; } }
long bad_self(void) { struct node *n = make(); n->next = n; total(n); free(n); return total(n); }
void ok_self(void) { struct node *n = make(); n->next = n; total(NULL); free(n); }
static void keep(struct node **pp, struct node *n) { if (n) *pp = n; }
struct node *bad_kept(void) { struct node *x = NULL; struct node *n = make(); keep(&x, n); free(n); return x; }
