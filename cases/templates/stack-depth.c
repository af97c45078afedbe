// case: templates/stack-depth
// models: a stack with a counter of its height
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct frame {
    int depth;
    struct frame *below;
};

int main(void)
{
    struct frame *top = NULL;
    struct frame *f;
    int height = 0;

    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (height == 100)
                continue;
            f = malloc(sizeof *f);
            if (f == NULL)
                abort();
            f->depth = height;
            f->below = top;
            top = f;
            height++;
        } else if (top != NULL && height > 0) {
            f = top->below;
            free(top);
            top = f;
            height--;
        }
        assert(height >= 0 && height <= 100);
    }
    for (f = top; f != NULL; f = f->below)
        assert(f->depth >= 0 && f->depth < 100);
    while (top != NULL) {
        f = top->below;
        free(top);
        top = f;
    }
    return 0;
}
