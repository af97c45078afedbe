// case: trees/parent-cursor
// models: search tree: insert with a cursor and the node before it; the side is compared again
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int key; struct node *left, *right; };
static void insert(struct node **root, int key) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->key = key; n->left = NULL; n->right = NULL;
    struct node *parent = NULL, *cur = *root;
    while (cur) {
        parent = cur;
        if (key < cur->key) cur = cur->left;
        else cur = cur->right;
    }
    if (!parent) *root = n;
    else if (key < parent->key) parent->left = n;
    else parent->right = n;
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
    destroy(root);
    return 0;
}
