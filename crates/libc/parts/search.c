/* search.h: lists, tables and trees that the program keeps. */
#include "library.h"

typedef int comparison(const void *, const void *);

struct link { struct link *next, *previous; };

void insque(void *element, void *after)
{
  struct link *new = element, *old = after;
  if (!old) {
    new->next = new->previous = NULL;
    return;
  }
  new->next = old->next;
  if (new->next) new->next->previous = new;
  old->next = new;
  new->previous = old;
}

void remque(void *element)
{
  struct link *old = element;
  if (old->next) old->next->previous = old->previous;
  if (old->previous) old->previous->next = old->next;
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, comparison *compare)
{
  const char *at = base;
  for (size_t i = 0; i < *count; i++, at += size)
    if (compare(key, at) == 0) return (void *)at;
  return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, comparison *compare)
{
  void *found = lfind(key, base, count, size, compare);
  if (found) return found;
  char *to = (char *)base + *count * size;
  for (size_t i = 0; i < size; i++) to[i] = ((const char *)key)[i];
  ++*count;
  return to;
}

/* A table of words: glibc has a prime number of places and looks at them in another order, which no program sees. */
typedef struct { char *key; void *data; } entry;
static entry *table;
static size_t places, used;

int hcreate(size_t count)
{
  if (table) return 0;
  if (count > ((size_t)-1) / 64) {
    errno = ENOMEM;
    return 0;
  }
  places = count < 3 ? 3 : count | 1;
  for (size_t by = 3; by * by <= places;) {
    if (places % by == 0) {
      places += 2;
      by = 3;
    } else {
      by += 2;
    }
  }
  used = 0;
  table = calloc(places, sizeof(entry));
  return table != NULL;
}

void hdestroy(void)
{
  free(table);
  table = NULL;
}

static int same(const char *a, const char *b)
{
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

entry *hsearch(entry item, int enter)
{
  size_t hash = 0;
  for (const char *c = item.key; *c; c++) hash = hash * 31 + (byte)*c;
  for (size_t i = 0; i < places; i++) {
    entry *at = &table[(hash + i) % places];
    if (!at->key) {
      if (!enter || used == places) break;
      used++;
      *at = item;
      return at;
    }
    if (same(at->key, item.key)) return at;
  }
  errno = enter ? ENOMEM : ESRCH;
  return NULL;
}

/* A search tree. glibc keeps it balanced, so that the order of leaves in twalk may be another one. */
struct node { const void *key; struct node *left, *right; };

void *tfind(const void *key, void *const *root, comparison *compare)
{
  if (!root) return NULL;
  struct node *at = *root;
  while (at) {
    int order = compare(key, at->key);
    if (order == 0) return at;
    at = order < 0 ? at->left : at->right;
  }
  return NULL;
}

void *tsearch(const void *key, void **root, comparison *compare)
{
  if (!root) return NULL;
  struct node **at = (struct node **)root;
  while (*at) {
    int order = compare(key, (*at)->key);
    if (order == 0) return *at;
    at = order < 0 ? &(*at)->left : &(*at)->right;
  }
  struct node *new = malloc(sizeof *new);
  if (new) {
    new->key = key;
    new->left = new->right = NULL;
    *at = new;
  }
  return new;
}

static const char no_parent;

void *tdelete(const void *restrict key, void **restrict root, comparison *compare)
{
  if (!root) return NULL;
  struct node **at = (struct node **)root;
  void *parent = (void *)&no_parent;
  while (*at) {
    int order = compare(key, (*at)->key);
    if (order == 0) break;
    parent = *at;
    at = order < 0 ? &(*at)->left : &(*at)->right;
  }
  struct node *old = *at;
  if (!old) return NULL;
  if (!old->left) {
    *at = old->right;
  } else if (!old->right) {
    *at = old->left;
  } else {
    struct node **least = &old->right;
    while ((*least)->left) least = &(*least)->left;
    struct node *next = *least;
    *least = next->right;
    next->left = old->left;
    next->right = old->right;
    *at = next;
  }
  free(old);
  return parent;
}

static void walk(const struct node *at, void (*action)(const void *, int, int), int level)
{
  enum { preorder, postorder, endorder, leaf };
  if (!at->left && !at->right) {
    action(at, leaf, level);
    return;
  }
  action(at, preorder, level);
  if (at->left) walk(at->left, action, level + 1);
  action(at, postorder, level);
  if (at->right) walk(at->right, action, level + 1);
  action(at, endorder, level);
}

void twalk(const void *root, void (*action)(const void *, int, int))
{
  if (root && action) walk(root, action, 0);
}

static void destroy(struct node *at, void (*free_key)(void *))
{
  if (!at) return;
  destroy(at->left, free_key);
  destroy(at->right, free_key);
  free_key((void *)at->key);
  free(at);
}

void tdestroy(void *root, void (*free_key)(void *)) { destroy(root, free_key); }
