// case: trees/recursive-insert-bug
// models: search tree: a node is read after all are freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 34
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
    while (last && last->right)
        last = last->right;
    destroy(root);
    return last && last->key;
}
