// case: trees/dictionary-bug
// models: search tree: one string that several nodes own
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 32
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct node { char *name; struct node *left, *right; };
static char *word(void) {
    char *w = malloc(8);
    if (!w) abort();
    for (int i = 0; i < 7; i++) w[i] = 'a';
    w[7] = 0;
    return w;
}
static void insert(struct node **p, char *name) {
    while (*p) {
        if (strcmp(name, (*p)->name) < 0) p = &(*p)->left;
        else p = &(*p)->right;
    }
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->name = name; n->left = NULL; n->right = NULL;
    *p = n;
}
static void destroy(struct node *t) {
    if (!t) return;
    destroy(t->left);
    destroy(t->right);
    free(t->name);
    free(t);
}
int main(void) {
    struct node *root = NULL;
    char *same = word();
    insert(&root, same);
    while (__VERIFIER_nondet_int()) insert(&root, same);
    destroy(root);
    return 0;
}
