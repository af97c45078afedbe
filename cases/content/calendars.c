// case: content/calendars
// models: merge of two lists in order
// target: lp64
// property: assertions
// verdict: safe

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct day { int date; struct day *next; };

/* Dates that do not decrease, from the last one on. */
static struct day *calendar(void)
{
    struct day *days = NULL;
    while (__VERIFIER_nondet_int()) {
        int date = __VERIFIER_nondet_int();
        if (days && date > days->date)
            continue;
        struct day *d = malloc(sizeof *d);
        d->date = date;
        d->next = days;
        days = d;
    }
    return days;
}

static struct day *merged(struct day *a, struct day *b)
{
    struct day *all = NULL, **end = &all;
    while (a && b) {
        struct day **from = a->date <= b->date ? &a : &b;
        *end = *from;
        end = &(*from)->next;
        *from = (*from)->next;
    }
    *end = a ? a : b;
    return all;
}

int main(void)
{
    struct day *mine = calendar(), *yours = calendar();
    struct day *all = merged(mine, yours);
    while (all) {
        struct day *next = all->next;
        assert(!next || all->date <= next->date);
        free(all);
        all = next;
    }
    return 0;
}
