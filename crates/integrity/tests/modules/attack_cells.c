// Pointers to pointers in nodes: each leads to a link of a node or to a variable, or is null.
#include "nodes.h"
struct hook { struct hook *next; struct hook **back; long v; };
struct head { struct hook *first; struct hook **last; };
static struct hook *global_first;
static long sum(struct hook *h) { long n = 0; while (h) { n += h->v; h = h->next; } return n; }
void ok_add(struct hook *n, struct head *h) { if (!n || !h) return; n->next = h->first; if (h->first) h->first->back = &n->next; h->first = n; n->back = &h->first; }
void ok_del(struct hook *n) { if (!n || !n->back) return; *n->back = n->next; if (n->next) n->next->back = n->back; n->next = NULL; n->back = NULL; }
void bad_del(struct hook *n) { if (!n) return; *n->back = n->next; }
void bad_number(struct hook *n, long x) { if (n) { n->back = (struct hook **) x; if (x) sum(n); } }
void bad_to_data(struct hook *n) { if (n) n->back = (struct hook **) &n->v; }
void bad_to_other_link(struct hook *n, struct node *m) { if (n && m) n->back = (struct hook **) &m->next; }
void bad_to_cell(struct hook *n) { if (n) n->back = (struct hook **) &n->back; }
void bad_to_parameter(struct hook *n, struct hook *m) { if (n) n->back = &m; }
void bad_to_local(struct hook *n) { struct hook *x = NULL; if (n) { n->back = &x; sum(n); } }
void ok_to_local(struct hook *n) { struct hook *x = NULL; if (n) { n->back = &x; *n->back = n; n->back = NULL; } }
long bad_to_ended(struct hook *n) { if (!n) return 0; { struct hook *x = n; n->back = &x; } long r = *n->back != NULL; n->back = NULL; return r; }
void bad_to_ended_loop(struct hook *n, int k) { while (n && k-- > 0) { struct hook *x = NULL; n->back = &x; } }
void fine_to_local_loop(struct hook *n, int k) { struct hook *x = NULL; if (!n) return; n->back = &x; while (k-- > 0) *n->back = n; n->back = NULL; }
void ok_to_global(struct hook *n) { if (n) { n->back = &global_first; n->next = global_first; if (n->next) n->next->back = &n->next; global_first = n; } }
void bad_to_stack_node(struct hook *n) { struct hook t; t.next = NULL; t.back = NULL; t.v = 0; sum(&t); if (n) n->back = &t.next; }
void fine_to_stack_node(struct hook *n) { struct hook t; t.next = NULL; t.back = NULL; t.v = 0; sum(&t); if (n) { n->back = &t.next; n->back = NULL; } }
void bad_kept_parameter(struct hook *n, struct hook **pp) { if (n) { n->back = pp; **n->back = *n; } }
void ok_kept_parameter(struct hook *n, struct hook **pp) { if (n) { n->back = pp; *n->back = n; } }
static void keep(struct hook *n, struct hook **pp) { while (n) { n->back = pp; n = n->next; } }
void bad_kept_local(struct hook *n) { struct hook *x = n; keep(n, &x); }
struct hook *ok_new(void) { struct hook *n = malloc(sizeof *n); if (!n) abort(); n->next = NULL; n->back = NULL; n->v = 0; return n; }
struct hook *bad_new(struct head *h) { struct hook *n = malloc(sizeof *n); if (!n) abort(); n->next = NULL; n->v = 0; if (h) h->first = n; return n; }
struct hook *ok_new_self(void) { struct hook *n = malloc(sizeof *n); if (!n) abort(); n->next = n; n->back = &n->next; n->v = 0; return n; }
void bad_free_back(struct hook *a) { struct hook *n = ok_new(); n->next = NULL; if (a) a->back = &n->next; free(n); }
long bad_after_write(struct hook *a, struct hook *b) { if (!a || !b || !a->next || !b->back) return 0; *b->back = NULL; return a->next->v; }
long ok_walk(struct head *h) { long n = 0; if (!h) return 0; struct hook **pp = &h->first; while (*pp) { n += (*pp)->v; pp = &(*pp)->next; } h->last = pp; return n; }
void ok_append(struct head *h, struct hook *n) { if (!h || !n || !h->last) return; n->next = NULL; *h->last = n; h->last = &n->next; }
void bad_append(struct head *h, struct hook *n) { if (!h || !n) return; n->next = NULL; *h->last = n; h->last = &n->next; }
void bad_step(struct hook *n) { if (n && n->back) n->back[1] = NULL; }
void bad_step_kept(struct hook *n) { if (n && n->back) n->back++; }
struct tab { struct hook *slot[16]; long n; };
static long use(struct tab *t) { long n = 0; while (n < 3) { n++; if (t) t->n++; } return n; }
void bad_free_slots(struct hook *h, unsigned k) { struct tab *t = calloc(1, sizeof *t); if (!t) abort(); use(t); if (h) h->back = &t->slot[k & 15]; free(t); }
void bad_ended_slots(struct hook *h, unsigned k) { struct tab t; memset(&t, 0, sizeof t); use(&t); if (h) h->back = &t.slot[3]; }
void ok_back_to_slot(struct tab *t, struct hook *h, unsigned k) { if (!t || !h) return; h->next = t->slot[k & 15]; if (h->next) h->next->back = &h->next; t->slot[k & 15] = h; h->back = &t->slot[k & 15]; }
