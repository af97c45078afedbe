// case: content/undo-stack-bug
// models: a stack that is popped as often as its count says; with a fault
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 35
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define MAX_UNDO 1000

struct change {
    int key;
    struct change *older;
};

static struct change *top;
static int count;

static void record(int key)
{
    struct change *c = malloc(sizeof *c);
    if (c == NULL)
        abort();
    c->key = key;
    c->older = top;
    top = c;
    count++;
}

static int undo(void)
{
    struct change *c = top;
    int key = c->key;
    top = c->older;
    free(c);
    count--;
    return key;
}

int main(void)
{
    int last = 0;

    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (count < MAX_UNDO)
                record(__VERIFIER_nondet_int());
        } else if (count >= 0) {
            last = undo();
        }
    }
    /* leaving the program undoes everything */
    for (int left = count; left > 0; left--)
        last = undo();
    return last != 0;
}
