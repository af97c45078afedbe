// case: trees/tree-of-lists-bug
// models: search tree: the last item of the list of each node is forgotten
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 33
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct item { struct item *next; int v; };
struct node { int key; struct item *items; struct node *left, *right; };
static struct node *get(struct node **p, int key) {
    while (*p && (*p)->key != key) p = key < (*p)->key ? &(*p)->left : &(*p)->right;
    if (!*p) {
        struct node *n = calloc(1, sizeof *n);
        if (!n) abort();
        n->key = key;
        *p = n;
    }
    return *p;
}
static void add(struct node *n, int v) {
    struct item *i = malloc(sizeof *i);
    if (!i) abort();
    i->v = v;
    i->next = n->items;
    n->items = i;
}
static void destroy(struct node *t) {
    if (!t) return;
    destroy(t->left);
    destroy(t->right);
    while (t->items && t->items->next) { struct item *i = t->items; t->items = i->next; free(i); }
    free(t);
}
int main(void) {
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) add(get(&root, __VERIFIER_nondet_int()), __VERIFIER_nondet_int());
    destroy(root);
    return 0;
}
