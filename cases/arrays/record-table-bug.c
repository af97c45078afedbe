// case: arrays/record-table-bug
// models: a growing table of records in one block, half as large again when it is full; records are taken out of the middle and the last one fills the hole
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 60
// also: out-of-bounds-write line 60

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct record { int key; short weight; char kind; };

struct table {
    struct record *rows;
    size_t used, room;
};

static int add(struct table *t, int key)
{
    if (t->used == t->room) {
        size_t room = t->room + t->room / 2 + 2;
        struct record *rows = malloc(room * sizeof *rows);
        if (!rows)
            return 0;
        if (t->used)
            memcpy(rows, t->rows, t->used * sizeof *rows);
        free(t->rows);
        t->rows = rows;
        t->room = room;
    }
    t->rows[t->used].key = key;
    t->rows[t->used].weight = 0;
    t->rows[t->used].kind = 'k';
    t->used++;
    return 1;
}

static void drop(struct table *t, size_t at)
{
    t->used--;
    if (at < t->used)
        t->rows[at] = t->rows[t->used];
}

int main(void)
{
    struct table t = { NULL, 0, 0 };
    while (__VERIFIER_nondet_int()) {
        size_t at = __VERIFIER_nondet_uint();
        if (t.used < 100000 && !add(&t, 7))
            break;
        if (at < t.used && __VERIFIER_nondet_int())
            drop(&t, at);
    }
    for (size_t i = 0; i <= t.used; i++)
        t.rows[i].weight = 1;
    free(t.rows);
    return 0;
}
