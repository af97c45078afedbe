// case: smg-soundness/list-shared-below-a-list
// models: one owner on a branch, several on another; the items that all of them have share a list, which is no list of each item
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 70

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct note {
    struct note *next;
};

struct item {
    struct item *next;
    struct note *notes;
};

struct owner {
    struct owner *next;
    struct item *items;
};

static struct item *items(struct note *notes)
{
    struct item *list = NULL;
    do {
        struct item *new = malloc(sizeof *new);
        new->notes = notes;
        new->next = list;
        list = new;
    } while (__VERIFIER_nondet_int());
    return list;
}

static struct owner *owner(struct item *items, struct owner *next)
{
    struct owner *new = malloc(sizeof *new);
    new->items = items;
    new->next = next;
    return new;
}

int main(void)
{
    struct owner *owners = NULL;
    if (__VERIFIER_nondet_int()) {
        struct note *notes = NULL;
        while (__VERIFIER_nondet_int()) {
            struct note *new = malloc(sizeof *new);
            new->next = notes;
            notes = new;
        }
        owners = owner(items(notes), NULL);
    } else {
        struct item *all = items(NULL);
        do
            owners = owner(all, owners);
        while (__VERIFIER_nondet_int());
    }
    while (__VERIFIER_nondet_int())
        ;
    struct item *item = owners->items;
    while (item) {
        struct item *next = item->next;
        struct note *note = item->notes;
        while (note) {
            struct note *rest = note->next;
            free(note);
            note = rest;
        }
        free(item);
        item = next;
    }
    while (owners) {
        struct owner *next = owners->next;
        free(owners);
        owners = next;
    }
    return 0;
}
