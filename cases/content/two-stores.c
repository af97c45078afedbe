// case: content/two-stores
// models: nodes lie in a pool or on the heap, and a flag in each says where
// target: lp64
// property: memcleanup
// verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct handle {
    struct handle *next;
    int shared;
    int *value;     /* that of the pool, or one of its own */
};

static int pool;

int main(void)
{
    struct handle *list = NULL;

    while (__VERIFIER_nondet_int()) {
        struct handle *h = malloc(sizeof *h);
        if (h == NULL)
            abort();
        h->shared = __VERIFIER_nondet_int() != 0;
        if (h->shared) {
            h->value = &pool;
        } else {
            h->value = malloc(sizeof *h->value);
            if (h->value == NULL)
                abort();
        }
        *h->value = 1;
        h->next = list;
        list = h;
    }
    for (struct handle *h = list; h != NULL; h = h->next) {
        if (!h->shared && *h->value > 0) {
            free(h->value);
            h->value = &pool;
            h->shared = 1;
        }
    }
    while (list != NULL) {
        struct handle *next = list->next;
        if (!list->shared)
            free(list->value);
        free(list);
        list = next;
    }
    return 0;
}
