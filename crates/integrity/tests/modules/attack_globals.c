// Attacks on the engine: functions that begin with bad_ go wrong and must not be proved, those with ok_ are proved, those with fine_ do not go wrong.
#include "nodes.h"
static struct node *head; static struct node *spare; struct two *pair; static struct node *bad_init = (struct node *)8; static struct node anchor; static struct node *to_anchor = &anchor;
static long count; static int table[4]; static const int squares[3] = { 0, 1, 4 }; static struct node junk = { 1, (struct node *)8 }; static struct node *to_junk = &junk;
void ok_push(long v) { struct node *n = malloc(sizeof *n); if (!n) abort(); n->v = v; n->next = head; head = n; count++; }
struct node *ok_pop(void) { struct node *n = head; if (n) { head = n->next; n->next = NULL; count--; } return n; }
long ok_head(void) { return head ? head->v : 0; }
long bad_head(void) { return head->v; }
void bad_local_kept(void) { struct node t; t.v = 0; t.next = NULL; head = &t; }
void bad_local_linked(void) { struct node t; t.v = 0; t.next = NULL; anchor.next = &t; }
static void reset(int n) { while (n-- > 0) head = NULL; }
static void reset_now(void) { head = NULL; }
long bad_after_call(void) { if (!head) return 0; reset(1); return head->v; }
long bad_after_entered(void) { if (!head) return 0; reset_now(); return head->v; }
long bad_after_loop(int n) { if (!head) return 0; while (n-- > 0) head = NULL; return head->v; }
long bad_alias(struct node **p) { if (!head) return 0; *p = NULL; return head->v; }
long bad_junk(long x) { head = (struct node *)x; return 0; }
long bad_junk_passed(long x) { struct node *s = head; head = (struct node *)x; reset(0); head = s; return 0; }
long ok_swap_globals(void) { struct node *s = head; head = spare; spare = s; return 0; }
void bad_types(void) { pair = (struct two *)head; }
long bad_at_start(void) { return bad_init ? bad_init->v : 0; }
long bad_junk_at_start(void) { return to_junk->next ? to_junk->next->v : 0; }
long fine_anchor(void) { return to_anchor ? to_anchor->v : anchor.v; }
void ok_to_anchor(struct node *n) { if (n) n->next = &anchor; anchor.next = n; }
void bad_unset_anchor(void) { struct node *n = malloc(sizeof *n); if (!n) abort(); n->v = 1; anchor.next = n; }
int ok_table(void) { table[3] = 2; return squares[2]; }
int bad_table(void) { return table[4]; }
int bad_table_index(int i) { return table[i]; }
void bad_constant(void) { *(int *)&squares[1] = 3; }
void bad_half(void) { *(int *)&head = 5; }
void bad_anchor_past(void) { (&anchor)[1].v = 3; }
void bad_freed(void) { struct node *n = malloc(sizeof *n); if (!n) abort(); n->next = NULL; head = n; free(n); }
void bad_number(void) { struct node *n = (struct node *)&count; n->next = NULL; }
