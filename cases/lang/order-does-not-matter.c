// case: lang/order-does-not-matter
// models: operands whose functions change what no other operand reads
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
struct tree { struct tree *left, *right; int n; };
static int made, freed;
static struct tree *make(struct tree *l, struct tree *r, int n)
{
    struct tree *t = malloc(sizeof *t);
    t->left = l;
    t->right = r;
    t->n = n;
    return t;
}
static int sum(const struct tree *t) { return t ? t->n + sum(t->left) + sum(t->right) : 0; }
static int larger(int a, int b) { return a > b ? a : b; }
static int depth(const struct tree *t) { return t ? 1 + larger(depth(t->left), depth(t->right)) : 0; }
static void drop(struct tree *t)
{
    if (t) {
        drop(t->left);
        drop(t->right);
        freed++;
        free(t);
    }
}
static int count(void) { return ++made; }
int main(void)
{
    struct tree *t = make(make(0, 0, 1), make(0, make(0, 0, 2), 3), 4);
    int *no = 0, n = sum(t);
    if (n != 10 || depth(t) != 3)
        *no = 1;
    t->right->n = sum(t) + depth(t);
    t->left->n = count();
    n += count() + depth(t);
    drop(t);
    return freed - 4;
}
