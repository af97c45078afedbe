// case: trees/search-tree-bug
// models: search tree: a subtree is forgotten where there are two
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 35
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
    struct node *right = t->right;
    int both = t->left && right;
    destroy(t->left);
    free(t);
    if (!both)
        destroy(right);
}

int main(void) {
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) insert(&root, __VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int()) contains(root, __VERIFIER_nondet_int());
    destroy(root);
    return 0;
}
