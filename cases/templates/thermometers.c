// case: templates/thermometers
// models: a search tree whose values lie in a range
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct reading {
    int degrees;
    struct reading *colder, *warmer;
};

/* the tree is kept to the end of the program */
static struct reading *root;

static struct reading *make(int degrees)
{
    struct reading *r = malloc(sizeof *r);
    if (r == NULL)
        abort();
    r->degrees = degrees;
    r->colder = NULL;
    r->warmer = NULL;
    return r;
}

static void insert(int degrees)
{
    struct reading *r = root;

    if (r == NULL) {
        root = make(degrees);
        return;
    }
    for (;;) {
        if (degrees < r->degrees) {
            if (r->colder == NULL) {
                r->colder = make(degrees);
                return;
            }
            r = r->colder;
        } else {
            if (r->warmer == NULL) {
                r->warmer = make(degrees);
                return;
            }
            r = r->warmer;
        }
    }
}

int main(void)
{
    struct reading *r;

    while (__VERIFIER_nondet_int()) {
        int degrees = __VERIFIER_nondet_int();
        if (degrees < -50 || degrees > 60)
            continue;
        insert(degrees);
    }
    /* any way from the root down */
    for (r = root; r != NULL; r = __VERIFIER_nondet_int() ? r->colder : r->warmer)
        assert(r->degrees >= -50 && r->degrees <= 60);
    return 0;
}
