// case: content/vectors-bug
// models: every node has an array of its own and the address of its end; with a fault
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 47
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct vector {
    struct vector *next;
    int *begin;
    int *end;
};

static struct vector *vector_new(struct vector *next)
{
    int count = __VERIFIER_nondet_int();
    struct vector *v;

    if (count < 1 || count > 4000)
        return next;
    v = malloc(sizeof *v);
    if (v == NULL)
        abort();
    v->begin = malloc(count * sizeof *v->begin);
    if (v->begin == NULL)
        abort();
    v->end = v->begin + count;
    for (int *p = v->begin; p < v->end; p++)
        *p = 0;
    v->next = next;
    return v;
}

int main(void)
{
    struct vector *list = NULL;

    while (__VERIFIER_nondet_int())
        list = vector_new(list);
    /* shift every array by one */
    for (struct vector *v = list; v != NULL; v = v->next) {
        int *last = v->end;
        for (int *p = v->begin; p < last; p++)
            p[0] = p[1];
        *last = 1;
    }
    while (list != NULL) {
        struct vector *v = list;
        list = v->next;
        free(v->begin);
        free(v);
    }
    return 0;
}
