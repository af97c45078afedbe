// case: content/from-the-end
// models: the k-th node from the end by two cursors that are k nodes apart
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; int key; };

static int count(const struct item *list)
{
    int n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

/* the k-th item from the end, counted from 1 */
static struct item *from_end(struct item *list, int k)
{
    struct item *lead = list, *lag = list;
    for (int i = 0; i < k; i++)
        lead = lead->next;
    while (lead) {
        lead = lead->next;
        lag = lag->next;
    }
    return lag;
}

int main(void)
{
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *it = malloc(sizeof *it);
        it->key = __VERIFIER_nondet_int();
        it->next = list;
        list = it;
    }
    int k = __VERIFIER_nondet_int();
    if (k >= 1 && k <= count(list))
        from_end(list, k)->key++;
    while (list) {
        struct item *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
