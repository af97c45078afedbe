// case: templates/coloured
// models: a list of nodes with two colours
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { RED = 1, BLUE = 2 };

struct node {
    int colour;
    int weight;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    struct node *n;

    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        if (n == NULL)
            abort();
        if (__VERIFIER_nondet_int()) {
            n->colour = RED;
            n->weight = 10;
        } else {
            n->colour = BLUE;
            n->weight = 20;
        }
        n->next = list;
        list = n;
    }
    /* repainting changes the weight with the colour */
    for (n = list; n != NULL; n = n->next) {
        if (__VERIFIER_nondet_int()) {
            n->colour = RED;
            n->weight = 10;
        }
    }
    for (n = list; n != NULL; n = n->next)
        assert(n->colour == RED || n->weight == 20);
    while (list != NULL) {
        n = list->next;
        free(list);
        list = n;
    }
    return 0;
}
