// Intrusive lists: nodes inside of nodes, and the way back by `container_of`.
#include <stddef.h>
#include "nodes.h"
struct list { struct list *next, *prev; };
struct item { long v; struct list link; struct item *owner; };
struct first { struct list link; long v; struct first *peer; };
struct queue { struct list head; int n; };
struct outer { long a; struct item in; long z; };
#define container_of(p, T, m) ((T *) ((char *) (p) - offsetof(T, m)))
static struct list global_head = { &global_head, &global_head };
static struct queue global_queue = { { &global_queue.head, &global_queue.head }, 0 };
void ok_init(struct list *l) { if (l) { l->next = l; l->prev = l; } }
void ok_add(struct list *n, struct list *head) { if (!n || !head || !head->next) return; n->next = head->next; n->prev = head; head->next->prev = n; head->next = n; }
void bad_add(struct list *n, struct list *head) { if (!n || !head) return; n->next = head->next; n->prev = head; head->next->prev = n; head->next = n; }
void ok_add_item(struct item *it, struct list *head) { if (it && head) ok_add(&it->link, head); }
void bad_add_null_item(struct item *it, struct list *head) { if (head && head->next) ok_add(&it->link, head); }
void ok_del_item(struct item *it) { if (!it || !it->link.next || !it->link.prev) return; it->link.next->prev = it->link.prev; it->link.prev->next = it->link.next; }
void bad_del_item(struct item *it) { if (!it || !it->link.next) return; it->link.next->prev = it->link.prev; it->link.prev->next = it->link.next; }
long ok_back(struct item *it) { if (!it) return 0; struct list *l = &it->link; return container_of(l, struct item, link)->v; }
long bad_back_of_link(struct list *l) { if (!l) return 0; return container_of(l, struct item, link)->v; }
long bad_back_of_next(struct item *it) { if (!it || !it->link.next) return 0; return container_of(it->link.next, struct item, link)->v; }
long fine_back_of_head(struct queue *q) { if (!q) return 0; return container_of(&q->head, struct first, link)->v; }
long fine_wrong_offset(struct item *it) { if (!it) return 0; struct list *l = &it->link; return ((struct item *) l)->v; }
long ok_first_back(struct first *f) { if (!f) return 0; struct list *l = &f->link; return container_of(l, struct first, link)->v; }
long bad_first_back(struct list *l) { if (!l) return 0; return container_of(l, struct first, link)->v; }
struct item *ok_new_item(long v) { struct item *it = malloc(sizeof *it); if (!it) abort(); it->v = v; it->owner = NULL; it->link.next = it->link.prev = &it->link; return it; }
struct item *bad_new_item(long v) { struct item *it = malloc(sizeof *it); if (!it) abort(); it->v = v; it->owner = NULL; it->link.next = &it->link; return it; }
struct list *ok_new_as_list(long v) { struct item *it = malloc(sizeof *it); if (!it) abort(); it->v = v; it->owner = NULL; it->link.next = it->link.prev = NULL; return &it->link; }
struct list *bad_new_as_list(long v) { struct item *it = malloc(sizeof *it); if (!it) abort(); it->v = v; it->link.next = it->link.prev = NULL; return &it->link; }
void ok_push(struct queue *q, long v) { if (!q || !q->head.next) return; struct item *it = malloc(sizeof *it); if (!it) abort(); it->v = v; it->owner = NULL; ok_init(&it->link); ok_add(&it->link, &q->head); q->n++; }
void bad_push(struct queue *q, long v) { if (!q || !q->head.next) return; struct item *it = malloc(sizeof *it); if (!it) abort(); it->v = v; ok_init(&it->link); ok_add(&it->link, &q->head); q->n++; }
long ok_length(struct list *head) { long n = 0; if (!head) return 0; for (struct list *p = head->next; p && p != head; p = p->next) n++; return n; }
long bad_length(struct list *head) { long n = 0; for (struct list *p = head->next; p != head; p = p->next) n++; return n; }
long bad_alias_view(struct item *it, struct list *l) { if (!it || !l || !it->link.next) return 0; l->next = NULL; return it->link.next->prev != NULL; }
long bad_alias_first(struct first *f, struct list *l) { if (!f || !l || !f->link.next) return 0; l->next = NULL; return f->link.next->prev != NULL; }
void bad_interior(struct item *it) { if (it) it->link.next = (struct list *) &it->owner; }
void bad_interior_first(struct first *f) { if (f) f->link.next = (struct list *) &f->v; }
void bad_stack_list(struct list *l) { struct list t; t.next = t.prev = NULL; if (l) l->next = &t; }
void bad_stack_item(struct list *l) { struct item t; t.v = 0; t.owner = NULL; t.link.next = t.link.prev = NULL; if (l) l->next = &t.link; }
void fine_stack_item(struct list *l) { struct item t; t.v = 0; t.owner = NULL; t.link.next = t.link.prev = NULL; if (l) { struct list *old = l->next; l->next = &t.link; l->next = old; } }
long bad_stack_item_used(struct list *l) { struct list *p = l; { struct item t; t.v = 0; t.owner = NULL; t.link.next = t.link.prev = NULL; p = &t.link; ok_init(p); } return p && p->next != NULL; }
struct list *bad_stack_item_cell(struct list *l, int k) { if (!l) return NULL; struct list **pp = &l->next; { struct item t; t.v = 0; t.owner = NULL; t.link.next = t.link.prev = NULL; ok_init(&t.link); while (k > 0) { pp = &t.link.next; k--; } } return *pp; }
void ok_nested(struct outer *o) { if (o) ok_init(&o->in.link); }
long ok_nested_back(struct outer *o) { if (!o) return 0; struct list *l = &o->in.link; return container_of(container_of(l, struct item, link), struct outer, in)->z; }
long bad_nested_back(struct item *it) { if (!it) return 0; return container_of(it, struct outer, in)->z; }
void ok_global(struct item *it) { if (it && global_head.next) ok_add(&it->link, &global_head); }
void bad_global(struct item *it) { if (it) { global_head.next->prev = &it->link; } }
void ok_global_queue(struct item *it) { if (it) ok_add(&it->link, &global_queue.head); }
void bad_free_inside(struct item *it) { if (it) free(&it->link); }
void ok_copy_item(struct item *a, struct item *b) { if (a && b) *a = *b; }
long bad_copy_item(struct item *a, struct item *b, struct list *l) { if (!a || !b || !l || !a->link.next) return 0; if (l != &a->link) return 0; *a = *b; return l->next->prev != NULL; }
long bad_data_views(struct outer *o, struct item *it) { if (!o || !it || it != &o->in || !it->link.next) return 0; it->v = 1; o->in.v = 0; if (it->v == 0) return ((struct item *) NULL)->v; return 0; }
