// case: content/sorted-count-bug
// models: insertion sort of a list by relinking that frees nodes with a key that it has already
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 55

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job { int key; struct job *next; };

static struct job *read_all(unsigned *count)
{
    struct job *list = NULL;
    *count = 0;
    while (__VERIFIER_nondet_int()) {
        struct job *j = malloc(sizeof *j);
        j->key = __VERIFIER_nondet_int();
        j->next = list;
        list = j;
        ++*count;
    }
    return list;
}

static struct job *sorted(struct job *list)
{
    struct job *result = NULL;
    while (list) {
        struct job *x = list;
        list = list->next;
        struct job **at = &result;
        while (*at && (*at)->key < x->key)
            at = &(*at)->next;
        if (*at && (*at)->key == x->key) {
            free(x);
            continue;
        }
        x->next = *at;
        *at = x;
    }
    return result;
}

int main(void)
{
    unsigned before, after = 0;
    struct job *list = read_all(&before);
    list = sorted(list);
    for (struct job *j = list; j; j = j->next)
        after++;
    assert(before == after);
    while (list) {
        struct job *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
