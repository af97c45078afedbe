// case: smg-soundness/freed-or-null
// models: a field of a block leads nowhere, or to a block that was freed; whoever asks whether it leads anywhere uses the freed block
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 28

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *other; int number; };

int main(void) {
    struct node *node = malloc(sizeof *node);
    node->other = 0;
    node->number = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->other = 0;
        new->number = 1;
        node->other = new;
        free(new);
    }
    while (__VERIFIER_nondet_int())
        node->number = 2;
    if (node->other)
        node->other->number = 3;
    free(node);
    return 0;
}
