// case: trees/search-tree
// models: search tree: insert and look up with a cursor, free by recursion
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int key; struct node *left, *right; };
static void insert(struct node **p, int key) {
    while (*p) {
        if (key < (*p)->key) p = &(*p)->left;
        else p = &(*p)->right;
    }
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->key = key; n->left = NULL; n->right = NULL;
    *p = n;
}
static int contains(struct node *t, int key) {
    while (t) {
        if (t->key == key) return 1;
        t = key < t->key ? t->left : t->right;
    }
    return 0;
}
static void destroy(struct node *t) {
    if (!t) return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}
int main(void) {
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) insert(&root, __VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int()) contains(root, __VERIFIER_nondet_int());
    destroy(root);
    return 0;
}
