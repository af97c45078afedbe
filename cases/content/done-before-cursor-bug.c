// case: content/done-before-cursor-bug
// models: what lies before a cursor is done, what lies after it is not; with a fault
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 42
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct page {
    int number;
    int printed;
    struct page *next;
};

int main(void)
{
    struct page *first = NULL;
    struct page *cursor, *p;

    while (__VERIFIER_nondet_int()) {
        p = malloc(sizeof *p);
        if (p == NULL)
            abort();
        p->number = __VERIFIER_nondet_int();
        p->printed = 0;
        p->next = first;
        first = p;
    }
    /* print until the paper is used up */
    for (cursor = first; cursor != NULL; cursor = cursor->next) {
        int paper = __VERIFIER_nondet_int();
        cursor->printed = 1;
        if (!paper)
            break;
    }
    for (p = first; p != cursor; p = p->next)
        assert(p->printed);
    for (; p != NULL; p = p->next)
        assert(!p->printed);
    while (first != NULL) {
        p = first->next;
        free(first);
        first = p;
    }
    return 0;
}
