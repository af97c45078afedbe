// case: trees/recursive-insert
// models: search tree: insert and free by recursion
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int key; struct node *left, *right; };
static struct node *insert(struct node *t, int key) {
    if (!t) {
        struct node *n = malloc(sizeof *n);
        if (!n) abort();
        n->key = key; n->left = NULL; n->right = NULL;
        return n;
    }
    if (key < t->key) t->left = insert(t->left, key);
    else t->right = insert(t->right, key);
    return t;
}
static void destroy(struct node *t) {
    if (!t) return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}
int main(void) {
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
    destroy(root);
    return 0;
}
