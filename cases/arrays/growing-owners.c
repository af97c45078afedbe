// case: arrays/growing-owners
// models: a vector of records that own their names, doubled by realloc without a check of its size; the last ones may be dropped
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct rec { int id; char *name; };
struct vec { struct rec *v; size_t n, cap; };

static void add(struct vec *v, int id, const char *name)
{
    if (v->n == v->cap) {
        v->cap = v->cap ? 2 * v->cap : 8;
        v->v = realloc(v->v, v->cap * sizeof *v->v);
        if (!v->v)
            abort();
    }
    struct rec *r = &v->v[v->n++];
    r->id = id;
    r->name = malloc(strlen(name) + 1);
    if (!r->name)
        abort();
    strcpy(r->name, name);
}

static void drop_last(struct vec *v)
{
    v->n--;
    free(v->v[v->n].name);
}

int main(void)
{
    struct vec v = { 0 };
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            add(&v, __VERIFIER_nondet_int(), "rec");
        else if (v.n > 0)
            drop_last(&v);
    }
    for (size_t i = 0; i < v.n; i++)
        free(v.v[i].name);
    free(v.v);
    return 0;
}
