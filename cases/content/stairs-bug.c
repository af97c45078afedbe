// case: content/stairs-bug
// models: two steps of the same height
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 36

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct step { int height; struct step *next; };

int main(void)
{
    struct step *up = NULL, *down = NULL;
    while (__VERIFIER_nondet_int()) {
        int height = __VERIFIER_nondet_int();
        if (up && height > up->height)
            break;
        struct step *s = malloc(sizeof *s);
        s->height = height;
        s->next = up;
        up = s;
    }
    while (up) {
        struct step *next = up->next;
        up->next = down;
        down = up;
        up = next;
    }
    while (down) {
        struct step *next = down->next;
        if (next)
            assert(down->height > next->height);
        free(down);
        down = next;
    }
    return 0;
}
