// case: smg-soundness/crossed-blocks
// models: two neighbours hold the same two blocks the other way round: they are not blocks of either node
// target: lp64
// property: memsafety
// verdict: unsafe
// error: double-free line 27

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct n { struct n *next; int *f; int *g; };

int main(void)
{
    struct n *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b);
        int *p = malloc(4), *q = malloc(4);
        if (!a || !b || !p || !q) abort();
        *p = 1; *q = 1;
        a->f = p; a->g = q; b->f = q; b->g = p;
        a->next = b; b->next = head; head = a;
    }
    while (head) {
        struct n *x = head->next;
        free(head->f); free(head->g); free(head);
        head = x;
    }
    return 0;
}
