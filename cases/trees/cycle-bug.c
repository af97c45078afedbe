// case: trees/cycle-bug
// models: search tree: a link from the least node back to the root
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 23
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
    struct node *last = root;
    while (last && last->left)
        last = last->left;
    if (last && last->right) {
        last->left = root;
        struct node *old = root->left;
        root->left = NULL;
        destroy(old);
    }
    destroy(root);
    return 0;
}
