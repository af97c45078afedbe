// case: content/counted-apart
// models: a list that is joined of two has as many nodes as both had
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; int key; };

static struct item *make(void)
{
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *it = malloc(sizeof *it);
        it->key = __VERIFIER_nondet_int();
        it->next = list;
        list = it;
    }
    return list;
}

static int count(const struct item *list)
{
    int n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

int main(void)
{
    struct item *a = make(), *b = make();
    int n = count(a) + count(b);
    struct item **end = &a;
    while (*end)
        end = &(*end)->next;
    *end = b;
    while (n > 0) {
        struct item *next = a->next;
        free(a);
        a = next;
        n--;
    }
    return 0;
}
