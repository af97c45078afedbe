// Functions on a list. Those that begin with ok_ keep it whole, those that begin with bad_ do not.
#include <stdlib.h>
#include <string.h>

struct item { long key; struct item *next; };

static void *zeroed(size_t n)
{
    void *p = malloc(n);
    if (p != NULL)
        memset(p, 0, n);
    return p;
}

struct item *ok_new(long key)
{
    struct item *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->key = key;
    n->next = NULL;
    return n;
}

struct item *ok_new_zeroed(void)
{
    return zeroed(sizeof(struct item));
}

struct item *bad_new_unset(long key)
{
    struct item *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->key = key;
    return n;
}

struct item *bad_new_unchecked(long key)
{
    struct item *n = malloc(sizeof *n);
    n->key = key;
    n->next = NULL;
    return n;
}

struct item *bad_new_small(void)
{
    struct item *n = malloc(sizeof(long));
    if (n == NULL)
        abort();
    return n;
}

struct item *ok_last(struct item *list)
{
    if (list != NULL)
        while (list->next != NULL)
            list = list->next;
    return list;
}

struct item *bad_last(struct item *list)
{
    while (list->next != NULL)
        list = list->next;
    return list;
}

/* Needs to know that the last item of a list that is not empty is not NULL. */
struct item *ok_append(struct item *list, long key)
{
    struct item *n = ok_new(key);
    if (list == NULL)
        return n;
    ok_last(list)->next = n;
    return list;
}

struct item *bad_append(struct item *list, long key)
{
    ok_last(list)->next = ok_new(key);
    return list;
}

/* The new item is not complete while its place is looked for. */
struct item *ok_insert(struct item *list, long key)
{
    struct item *prev = NULL, *at = list;
    struct item *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->key = key;
    while (at != NULL && at->key < key) {
        prev = at;
        at = at->next;
    }
    n->next = at;
    if (prev == NULL)
        return n;
    prev->next = n;
    return list;
}

struct item *bad_insert(struct item *list, long key)
{
    struct item *prev = NULL, *at = list;
    struct item *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->key = key;
    while (at != NULL && at->key < key) {
        prev = at;
        at = at->next;
    }
    if (prev == NULL) {
        n->next = list;
        return n;
    }
    prev->next = n;
    return list;
}

/* Linked in the loop before it is complete. */
struct item *bad_copy(const struct item *list)
{
    struct item *head = NULL, *last = NULL;
    for (; list != NULL; list = list->next) {
        struct item *n = malloc(sizeof *n);
        if (n == NULL)
            abort();
        n->key = list->key;
        if (last == NULL)
            head = n;
        else
            last->next = n;
        last = n;
    }
    return head;
}

struct item *ok_remove(struct item *list, long key)
{
    struct item **link = &list;
    while (*link != NULL) {
        if ((*link)->key == key)
            *link = (*link)->next;
        else
            link = &(*link)->next;
    }
    return list;
}

void ok_cut(struct item **link)
{
    if (*link != NULL)
        *link = (*link)->next;
}

void bad_cut(struct item **link)
{
    *link = (*link)->next;
}

void bad_link(struct item **link, long number)
{
    *link = (struct item *)number;
}

struct item *ok_reverse(struct item *list)
{
    struct item *prev = NULL;
    while (list != NULL) {
        struct item *next = list->next;
        list->next = prev;
        prev = list;
        list = next;
    }
    return prev;
}

void bad_inside(struct item *list)
{
    if (list != NULL)
        list->next = (struct item *)&list->next;
}

void bad_array(struct item *list)
{
    if (list != NULL)
        list[1].next = NULL;
}

struct item *bad_local(void)
{
    struct item here = { 1, NULL };
    return &here;
}

static struct item **to_local(void)
{
    struct item *here = NULL;
    struct item **p = &here;
    return p;
}

struct item *bad_scope(void)
{
    return *to_local();
}

struct item *bad_block_scope(void)
{
    struct item **p;
    {
        struct item *inner = NULL;
        p = &inner;
    }
    return *p;
}

void ok_each(const struct item *list, void (*visit)(long))
{
    for (; list != NULL; list = list->next)
        visit(list->key);
}

int bad_uninitialised(void)
{
    struct item *p;
    return p->next != NULL;
}

struct item *bad_free(struct item *list)
{
    free(list);
    return list;
}

long ok_length(const struct item *list)
{
    return list == NULL ? 0 : 1 + ok_length(list->next);
}

long bad_via_bad(struct item *list)
{
    return bad_last(list)->key;
}

/* A node on the stack whose link is set in the loop or after it. */
struct item *ok_merge(struct item *a, struct item *b)
{
    struct item head, *last = &head;
    while (a && b) {
        if (a->key <= b->key) {
            last = last->next = a;
            a = a->next;
        } else {
            last = last->next = b;
            b = b->next;
        }
    }
    last->next = a ? a : b;
    return head.next;
}

struct item *bad_merge(struct item *a, struct item *b)
{
    struct item head, *last = &head;
    while (a && b) {
        if (a->key <= b->key) {
            last = last->next = a;
            a = a->next;
        } else {
            last = last->next = b;
            b = b->next;
        }
    }
    if (a)
        last->next = a;
    return head.next;
}
