// case: trees/delete-min
// models: search tree: the least node is taken out, as long as there is one
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int key; struct node *left, *right; };
static void insert(struct node **p, int key) {
    while (*p) p = key < (*p)->key ? &(*p)->left : &(*p)->right;
    struct node *n = calloc(1, sizeof *n);
    if (!n) abort();
    n->key = key;
    *p = n;
}
static int delete_min(struct node **p) {
    while ((*p)->left) p = &(*p)->left;
    struct node *gone = *p;
    int key = gone->key;
    *p = gone->right;
    free(gone);
    return key;
}
int main(void) {
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) insert(&root, __VERIFIER_nondet_int());
    while (root) delete_min(&root);
    return 0;
}
