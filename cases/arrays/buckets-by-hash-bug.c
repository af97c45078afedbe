// case: arrays/buckets-by-hash-bug
// models: interned words, the new word is put in the slot of another one, whose chain is lost
// target: lp64
// property: memsafety
// verdict: unsafe
// error: leak line 36
// also: use-after-free line 66

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct word { struct word *next; unsigned key; };

static struct word *bucket[32];

static unsigned slot(unsigned key)
{
    key ^= key >> 7;
    return (key + key / 3) % 32;
}

static struct word *first(unsigned key)
{
    return bucket[slot(key)];
}

static struct word *intern(unsigned key)
{
    for (struct word *e = first(key); e; e = e->next)
        if (e->key == key)
            return e;
    struct word *e = malloc(sizeof *e);
    e->key = key;
    e->next = first(key);
    bucket[slot(key + 1)] = e;
    return e;
}

static void drop(unsigned key)
{
    struct word **at = &bucket[slot(key)];
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    struct word *e = *at;
    if (e) {
        *at = e->next;
        free(e);
    }
}

int main(void)
{
    for (;;) {
        int command = __VERIFIER_nondet_int();
        if (command == 0)
            break;
        if (command > 0)
            intern(command);
        else
            drop(-(command + 1));
    }
    for (int i = 0; i < 32; i++)
        while (bucket[i]) {
            struct word *e = bucket[i];
            bucket[i] = e->next;
            free(e);
        }
    return 0;
}
