// case: content/borrowed-names
// models: a flag says whether the name of a node is a block of its own; otherwise it is a constant or a part of the node
// target: lp64
// property: memcleanup
// verdict: safe
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

enum { VISIBLE = 1, OWNED = 4 };

struct entry {
    unsigned flags;
    const char *name;
    char small[6];
    struct entry *next;
};

static struct entry *enter(struct entry *list, int how)
{
    struct entry *e = malloc(sizeof *e);
    if (e == NULL)
        abort();
    e->flags = VISIBLE;
    if (how == 0) {
        e->name = "anonymous";
    } else if (how == 1) {
        strcpy(e->small, "tiny");
        e->name = e->small;
    } else {
        char *copy = malloc(16);
        if (copy == NULL)
            abort();
        strcpy(copy, "a longer name");
        e->name = copy;
        e->flags |= OWNED;
    }
    e->next = list;
    return e;
}

int main(void)
{
    struct entry *list = NULL;
    int visible = 0;

    while (__VERIFIER_nondet_int())
        list = enter(list, __VERIFIER_nondet_int());
    for (struct entry *e = list; e != NULL; e = e->next) {
        if (e->name[0] == 't')
            visible++;
        if (__VERIFIER_nondet_int()) {
            if (e->flags & OWNED)
                free((char *)e->name);
            e->flags &= ~OWNED;
            e->name = "renamed";
        }
    }
    while (list != NULL) {
        struct entry *next = list->next;
        if (list->flags & OWNED)
            free((char *)list->name);
        free(list);
        list = next;
    }
    return visible > 0;
}
