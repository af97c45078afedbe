// case: smg/hash-set-remove-bug2
// models: hash set whose last slot is not freed at the end
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 78

#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

struct item { unsigned id; struct item *link; };

static struct item **slots;
static unsigned many;

static unsigned place(unsigned id)
{
    return (id * 31u + 7u) % many;
}

static int has(unsigned id)
{
    for (struct item *at = slots[place(id)]; at; at = at->link)
        if (at->id == id)
            return 1;
    return 0;
}

static void add(unsigned id)
{
    if (has(id))
        return;
    struct item *fresh = malloc(sizeof *fresh);
    if (!fresh)
        abort();
    fresh->id = id;
    fresh->link = slots[place(id)];
    slots[place(id)] = fresh;
}

static void drop(unsigned id)
{
    struct item **hand = &slots[place(id)];
    while (*hand) {
        struct item *at = *hand;
        if (at->id == id) {
            *hand = at->link;
            free(at);
        } else {
            hand = &at->link;
        }
    }
}

int main(void)
{
    many = __VERIFIER_nondet_uint() % 1000 + 1;
    slots = calloc(many, sizeof *slots);
    if (!slots)
        return 1;
    while (__VERIFIER_nondet_int()) {
        unsigned id = __VERIFIER_nondet_uint();
        if (has(id))
            drop(id);
        else
            add(id);
    }
    for (unsigned i = 0; i + 1 < many; i++) {
        struct item *at = slots[i];
        while (at) {
            struct item *after = at->link;
            free(at);
            at = after;
        }
    }
    free(slots);
    return 0;
}
