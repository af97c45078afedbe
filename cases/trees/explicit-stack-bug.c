// case: trees/explicit-stack-bug
// models: search tree: a subtree that is pushed twice
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 38
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int key; struct node *left, *right; };
struct frame { struct node *tree; struct frame *next; };
static struct frame *push(struct frame *s, struct node *t) {
    struct frame *f = malloc(sizeof *f);
    if (!f) abort();
    f->tree = t; f->next = s;
    return f;
}
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
int main(void) {
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
    struct frame *s = push(NULL, root);
    while (s) {
        struct node *t = s->tree;
        struct frame *f = s;
        s = s->next;
        free(f);
        if (t) {
            s = push(s, t->left);
            s = push(s, t->right);
            if (t->left && t->right) s = push(s, t->left);
            free(t);
        }
    }
    return 0;
}
