// Arrays of links: indexes that are surely inside, and those that are not.
#include "nodes.h"
struct avl { long v; struct avl *child[2]; };
struct four { int n; struct four *kids[4]; int keys[3]; };
struct trie { long v; struct trie *next[26]; };
struct big { struct node *slot[64]; long used; };
static struct node *table[16];
long ok_child_of_comparison(struct avl *t, long v) { while (t) { if (t->v == v) return 1; t = t->child[v > t->v]; } return 0; }
struct avl *ok_rotate(struct avl *t, int dir) {
  if (dir != 0 && dir != 1) return t;
  if (!t || !t->child[!dir]) return t;
  struct avl *s = t->child[!dir]; t->child[!dir] = s->child[dir]; s->child[dir] = t; return s;
}
struct avl *bad_rotate(struct avl *t, int dir) { if (!t || !t->child[!dir]) return t; struct avl *s = t->child[!dir]; t->child[!dir] = s->child[dir]; s->child[dir] = t; return s; }
long ok_count(struct avl *t) { long n = 0; if (t) for (int i = 0; i < 2; i++) n += t->child[i] != NULL; return n; }
long bad_count(struct avl *t) { long n = 0; if (t) for (int i = 0; i <= 2; i++) n += t->child[i] != NULL; return n; }
long fine_count_down_to_data(struct avl *t) { long n = 0; if (t) for (int i = 1; i >= -1; i--) n += t->child[i] != NULL; return n; }
long ok_count_down(struct avl *t) { long n = 0; if (t) for (int i = 1; i >= 0; i--) n += t->child[i] != NULL; return n; }
long ok_unsigned(struct four *t) { long n = 0; if (t) for (unsigned i = 0; i < 4; i++) n += t->kids[i] != NULL; return n; }
long bad_unsigned_wrap(struct four *t) { long n = 0; if (t) for (unsigned i = 3; i < 4; i -= 2) n += t->kids[i + 3] != NULL; return n; }
long ok_mask(struct four *t, unsigned k) { return t ? t->kids[k & 3] != NULL : 0; }
long bad_mask(struct four *t, unsigned k) { return t ? t->kids[k & 7] != NULL : 0; }
long ok_modulo(struct four *t, unsigned k) { return t ? t->kids[k % 4] != NULL : 0; }
long bad_modulo_signed(struct four *t, int k) { return t ? t->kids[k % 4] != NULL : 0; }
long ok_key(struct four *t, int k) { return t && k >= 0 && k < 3 ? t->keys[k] : 0; }
long bad_key(struct four *t, int k) { return t && k >= 0 && k <= 4 ? t->keys[k] : 0; }
void bad_key_is_link(struct four *t, int k) { if (t && k >= -8 && k < 3) t->keys[k] = 1; }
void ok_clear(struct four *t) { if (t) for (int i = 0; i < 4; i++) t->kids[i] = NULL; }
void bad_clear_with_number(struct four *t, long x) { if (t) for (int i = 0; i < 4; i++) t->kids[i] = (struct four *) x; }
struct four *bad_new_partly(void) { struct four *t = malloc(sizeof *t); if (!t) abort(); t->n = 0; for (int i = 0; i < 3; i++) t->kids[i] = NULL; return t; }
struct four *fine_new(void) { struct four *t = malloc(sizeof *t); if (!t) abort(); t->n = 0; for (int i = 0; i < 4; i++) t->kids[i] = NULL; return t; }
long ok_find(struct trie *t, const unsigned char *w, unsigned n) { while (t && n > 0) { t = t->next[n % 26]; n--; } return t ? t->v : 0; }
long bad_find(struct trie *t, unsigned n) { while (t && n > 0) { t = t->next[n % 27]; n--; } return t ? t->v : 0; }
struct trie *ok_new_trie(void) { struct trie *t = calloc(1, sizeof *t); if (!t) abort(); return t; }
struct trie *bad_new_trie(void) { struct trie *t = malloc(sizeof *t); if (!t) abort(); t->v = 0; return t; }
struct trie *ok_insert(struct trie *t, unsigned k) {
  if (!t) return NULL;
  unsigned i = k % 26;
  if (!t->next[i]) { struct trie *u = calloc(1, sizeof *u); if (!u) abort(); u->v = k; t->next[i] = u; }
  return t->next[i];
}
long ok_inserted(struct trie *t, unsigned k) {
  if (!t) return 0;
  unsigned i = k % 26;
  if (!t->next[i]) { struct trie *u = calloc(1, sizeof *u); if (!u) abort(); u->v = k; t->next[i] = u; }
  return t->next[i]->v;
}
long bad_inserted(struct trie *t, unsigned k) { if (!t) return 0; return t->next[k % 26]->v; }
long bad_other_slot(struct trie *t, struct trie *u, unsigned k, unsigned l) { if (!t || !u || !t->next[k % 26]) return 0; u->next[l % 26] = NULL; return t->next[k % 26]->v; }
long bad_other_index(struct trie *t, unsigned k, unsigned l) { if (!t || !t->next[k % 26]) return 0; t->next[l % 26] = NULL; return t->next[k % 26]->v; }
void bad_slot_number(struct trie *t, unsigned k, long x) { if (t) t->next[k % 26] = (struct trie *) x; }
struct trie *bad_slot_partly(struct trie *t) { if (t) *(int *) &t->next[3] = 7; return t; }
void bad_slot_null_node(struct trie *t, unsigned k) { t->next[k % 26] = NULL; }
static void drop_slots(struct big *b) { while (b && b->used > 0) { b->used--; b->slot[b->used & 63] = NULL; } }
long bad_slot_after_call(struct big *b, unsigned k) { if (!b || !b->slot[k & 63]) return 0; drop_slots(b); return b->slot[k & 63]->v; }
long ok_slot_const(struct big *b) { if (!b || !b->slot[5]) return 0; return b->slot[5]->v; }
long bad_slot_const(struct big *b) { if (!b || !b->slot[5]) return 0; b->slot[5] = NULL; return b->slot[5]->v; }
long bad_const_and_index(struct big *b, unsigned k) { if (!b || !b->slot[5]) return 0; b->slot[k & 63] = NULL; return b->slot[5]->v; }
static void clear_first(struct node **pp) { *pp = NULL; }
long bad_address_of_slot(struct big *b, unsigned k) { if (!b || !b->slot[k & 63]) return 0; clear_first(&b->slot[k & 63]); return b->slot[k & 63]->v; }
void ok_address_of_slot(struct big *b, unsigned k) { if (b) clear_first(&b->slot[k & 63]); }
void bad_address_outside(struct big *b, unsigned k) { if (b) clear_first(&b->slot[k & 127]); }
struct big *bad_new_big(struct node *n) { struct big *b = malloc(sizeof *b); if (!b) abort(); b->used = 1; for (int i = 0; i < 63; i++) b->slot[i] = n; return b; }
struct big *ok_new_big(struct node *n) { struct big *b = calloc(1, sizeof *b); if (!b) abort(); b->slot[7] = n; return b; }
struct big *bad_new_big_value(long n) { struct big *b = calloc(1, sizeof *b); if (!b) abort(); b->slot[7] = (struct node *) n; return b; }
struct node *fine_local_slots(unsigned k) { struct node *out; { struct big b; memset(&b, 0, sizeof b); b.slot[0] = make(); struct node **pp = &b.slot[k & 63]; out = b.slot[0]; (void) pp; } return out; }
long ok_table(unsigned k) { struct node *n = table[k % 16]; return n ? n->v : 0; }
long bad_table(unsigned k) { struct node *n = table[k % 17]; return n ? n->v : 0; }
long bad_table_null(unsigned k) { return table[k % 16]->v; }
void ok_table_add(struct node *n, unsigned k) { if (n) { n->next = table[k % 16]; table[k % 16] = n; } }
void bad_table_number(long n, unsigned k) { table[k % 16] = (struct node *) n; }
void ok_table_clear(void) { for (int i = 0; i < 16; i++) table[i] = NULL; }
void bad_table_clear(void) { for (int i = 0; i <= 16; i++) table[i] = NULL; }
long bad_table_after_call(unsigned k) { if (!table[k % 16]) return 0; ok_table_clear(); return table[k % 16]->v; }
long bad_truncated_index(struct four *t, long k) { if (!t || k < 0 || (char) k > 3 || (char) k < 0) return 0; return t->kids[k] != NULL; }
long ok_char_index(struct four *t, long k) { char c = (char) k; if (!t || c > 3 || c < 0) return 0; return t->kids[(int) c] != NULL; }
long bad_unsigned_compare(struct four *t, int k) { if (!t || k > 3) return 0; return t->kids[k] != NULL; }
long ok_unsigned_compare(struct four *t, int k) { if (!t || (unsigned) k > 3u) return 0; return t->kids[k] != NULL; }
long bad_loop_index_changed(struct four *t, int k) { long n = 0; if (!t) return 0; for (int i = 0; i < 4; i++) { if (k == 9) i = k; n += t->kids[i] != NULL; } return n; }
long bad_added(struct four *t, int k) { if (!t || k < 0 || k > 3) return 0; k += 2147483647; return t->kids[k & 7] != NULL; }
long ok_switch(struct four *t, int k) { if (!t) return 0; switch (k) { case 0: case 1: case 2: case 3: return t->kids[k] != NULL; default: return 0; } }
long bad_switch(struct four *t, int k) { if (!t) return 0; switch (k) { case 0: case 1: case 2: case 9: return t->kids[k] != NULL; default: return 0; } }
static void drop_next(struct trie *t, int k) { while (t && k > 0) { k--; t->next[k & 15] = NULL; } }
long bad_trie_after_call(struct trie *t, unsigned k) { if (!t || !t->next[k % 26]) return 0; drop_next(t, 20); return t->next[k % 26]->v; }
struct buf { struct buf *n; long a[4]; };
long bad_element_written(struct buf *b, unsigned k) { if (!b) return 0; b->a[2] = 1; b->a[k & 3] = 0; if (b->a[2] == 0) return ((struct buf *) NULL)->a[0]; return 0; }
long ok_element_read(struct buf *b, unsigned k) { if (!b) return 0; b->a[2] = 1; if (b->a[2] == 0) return ((struct buf *) NULL)->a[0]; return b->a[k & 3]; }
