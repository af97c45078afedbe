// Attacks on the engine: functions that begin with bad_ go wrong and must not be proved, those with ok_ are proved, those with fine_ do not go wrong.
#include "nodes.h"
long bad_scope_over_loop(int n) { struct node *p; { struct node t; t.v = 1; t.next = NULL; p = &t; } while (n > 0) n--; return p->v; }
long bad_scope_alias(struct node *a, struct node *b) {
  struct node *q = NULL;
  if (a == NULL || a != b) return 0;
  { struct node t; t.v = 1; t.next = NULL; a->next = &t; q = b->next; if (q->v == 7) t.v = 8; a->next = NULL; }
  return q->v;
}
struct node *bad_scope_returned(struct node *a, struct node *b) {
  struct node *q = NULL;
  if (a == NULL || a != b) return NULL;
  { struct node t; t.v = 1; t.next = NULL; a->next = &t; q = b->next; if (q->v == 7) t.v = 8; a->next = NULL; }
  return q;
}
void bad_scope_linked(struct node *a) { struct node t; t.v = 0; t.next = NULL; if (a) a->next = &t; }
void bad_scope_in_loop(struct node *a, int n) { while (n-- > 0) { struct node t; t.v = 0; t.next = NULL; if (a) a->next = &t; } }
long bad_pointer_to_ended(int n) { int *p = NULL; { int x = 3; p = &x; } if (n) return *p; return 0; }
long bad_cell_ended(struct node *a) { struct node **pp; { struct node *x = a; pp = &x; } return *pp != NULL; }
struct node *bad_cell_ended_loop(struct node *a, int n) { struct node **pp = &a; for (int i = 0; i < n; i++) { struct node *x = a; pp = &x; } return *pp; }
static struct node **address_of(struct node *x) { return &x; }
struct node *bad_cell_of_callee(struct node *a) { return *address_of(a); }
struct node *bad_return_local(void) { struct node t; t.next = NULL; struct node *volatile p = &t; return p; }
long ok_local_node(long v) { struct node t; t.v = v; t.next = NULL; struct node *p = &t; return p->v; }
long bad_cell_after_loop(struct node *a, int n) { struct node **pp; { struct node *x = a; pp = &x; } while (n-- > 0) ; return *pp != NULL; }
static void reset(struct node *p) { while (p) { p->v = 1; p = p->next; } }
long bad_cell_of_ended_node(struct node *x, int k) {
  if (!x) return 0;
  struct node **pp = &x->next;
  { struct node t; t.v = 0; t.next = NULL; reset(&t); while (k > 0) { pp = &t.next; k--; } }
  return *pp != NULL;
}
void bad_cell_of_ended_node_write(struct node *x, int k) {
  if (!x) return;
  struct node **pp = &x->next;
  { struct node t; t.v = 0; t.next = NULL; reset(&t); while (k > 0) { pp = &t.next; k--; } }
  *pp = NULL;
}
