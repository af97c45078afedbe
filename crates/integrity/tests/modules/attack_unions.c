// Unions with links: what they hold is data, unless all members have the same links.
#include "nodes.h"
struct val { int tag; union { struct val *ref; long number; } u; struct val *next; };
struct same { long v; union { struct same *next; struct same *free_next; } u; };
struct wide { long v; union { struct { struct wide *a; struct wide *b; } two; long x[2]; } u; struct wide *n; };
long ok_number(struct val *p) { return p && p->tag == 1 ? p->u.number : 0; }
long fine_tagged(struct val *p) { if (p && p->tag == 2 && p->u.ref) return 1; return 0; }
long bad_believed(struct val *p) { if (p && p->tag == 2 && p->u.ref) return p->u.ref->tag; return 0; }
void ok_set(struct val *p, long x) { if (p) { p->tag = 1; p->u.number = x; } }
long ok_set_and_read(struct val *p, struct val *q) { if (!p || !q) return 0; p->u.ref = q; return p->u.ref->tag; }
long bad_set_and_changed(struct val *p, struct val *q, struct val *r) { if (!p || !q || !r) return 0; p->u.ref = q; r->u.number = 8; return p->u.ref->tag; }
long bad_set_half(struct val *p, struct val *q) { if (!p || !q) return 0; p->u.ref = q; *(char *) &p->u = 1; return p->u.ref->tag; }
struct val *ok_new(long x) { struct val *p = malloc(sizeof *p); if (!p) abort(); p->tag = 1; p->u.number = x; p->next = NULL; return p; }
struct val *ok_new_unset_union(void) { struct val *p = malloc(sizeof *p); if (!p) abort(); p->tag = 0; p->next = NULL; return p; }
struct val *bad_new_unset(long x) { struct val *p = malloc(sizeof *p); if (!p) abort(); p->tag = 1; p->u.number = x; return p; }
struct val *bad_from_union(struct val *p) { return p ? p->u.ref : NULL; }
void bad_union_to_link(struct val *p) { if (p) p->next = p->u.ref; }
long ok_same(struct same *p) { long n = 0; while (p) { n += p->v; p = p->u.free_next; } return n; }
void bad_same(struct same *p, long x) { if (p) p->u.next = (struct same *) x; }
struct same *bad_same_unset(void) { struct same *p = malloc(sizeof *p); if (!p) abort(); p->v = 0; return p; }
long bad_wide(struct wide *p) { return p && p->u.two.b ? p->u.two.b->v : 0; }
void ok_wide(struct wide *p, long x) { if (p) { p->u.x[1] = x; p->n = NULL; } }
struct val *bad_stack_in_union(struct val *p) { struct val t; t.tag = 0; t.next = NULL; if (!p) return NULL; p->u.ref = &t; return p->u.ref; }
void ok_assign(struct val *p, struct val *q) { if (p && q) *p = *q; }
long bad_assigned(struct val *p, struct val *q, struct val *r) { if (!p || !q || !r) return 0; p->u.ref = q; *p = *r; return p->u.ref->tag; }
long bad_freed_in_union(struct val *p) { if (!p) return 0; struct val *n = malloc(sizeof *n); if (!n) abort(); n->tag = 0; n->next = NULL; p->u.ref = n; free(n); return p->u.ref->tag; }
struct mixed { long v; union { long x; double d; } u; struct mixed *n; };
struct plain { long v; struct plain *next; struct plain *other; };
void bad_copied_as_another(struct mixed *a, struct plain *b) { if (a && b && !a->n) *(struct mixed *) b = *a; }
void fine_copied_bit_fields(struct packed *a, struct other *b) { if (a && b && !a->p) *(struct packed *) b = *a; }
