// case: templates/equal-lengths
// models: two lists of the same length
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *push(struct node *list)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->next = list;
    return n;
}

int main(void)
{
    struct node *left = NULL, *right = NULL;
    struct node *n;
    unsigned lefts = 0, rights = 0;

    while (lefts < 5000 && __VERIFIER_nondet_int()) {
        left = push(left);
        lefts++;
        right = push(right);
        rights++;
    }
    assert(lefts == rights);
    /* a node of the left list goes, and one is put back for it */
    while (left != NULL && __VERIFIER_nondet_int()) {
        n = left->next;
        free(left);
        left = n;
        lefts--;
        if (right != NULL && __VERIFIER_nondet_int()) {
            n = right->next;
            free(right);
            right = n;
            rights--;
        } else {
            left = push(left);
            lefts++;
        }
        assert(lefts == rights);
    }
    while (left != NULL) {
        n = left->next;
        free(left);
        left = n;
    }
    while (right != NULL) {
        n = right->next;
        free(right);
        right = n;
    }
    return 0;
}
