// case: trees/dictionary
// models: search tree whose nodes own a string
// target: lp64
// property: memsafety
// verdict: safe
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
    while (__VERIFIER_nondet_int()) insert(&root, word());
    destroy(root);
    return 0;
}
