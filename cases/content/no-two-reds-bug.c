// case: content/no-two-reds-bug
// models: no red bead is followed by a red bead; with a fault
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 52
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { BLACK, RED };

struct bead {
    int colour;
    struct bead *next;
};

static struct bead *thread(int colour, struct bead *next)
{
    struct bead *b = malloc(sizeof *b);
    if (b == NULL)
        abort();
    b->colour = colour;
    b->next = next;
    return b;
}

int main(void)
{
    struct bead *chain = NULL;
    struct bead *b;

    while (__VERIFIER_nondet_int()) {
        int red = __VERIFIER_nondet_int();
        if (red && (chain == NULL || chain->colour == BLACK))
            chain = thread(RED, chain);
        else
            chain = thread(BLACK, chain);
    }
    /* one more bead somewhere, red if its neighbours allow it */
    for (b = chain; b != NULL; b = b->next) {
        if (__VERIFIER_nondet_int()) {
            int colour = RED;
            if (b->colour == RED)
                colour = BLACK;
            b->next = thread(colour, b->next);
            break;
        }
    }
    for (b = chain; b != NULL && b->next != NULL; b = b->next)
        assert(b->colour == BLACK || b->next->colour == BLACK);
    while (chain != NULL) {
        b = chain->next;
        free(chain);
        chain = b;
    }
    return 0;
}
