// case: arrays/buckets-bug
// models: a chain is used after all are freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 44

#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct node { struct node *next; unsigned key; };
static struct node *bucket[16];
static void insert(unsigned key)
{
    struct node *e = malloc(sizeof *e);
    e->key = key;
    e->next = bucket[key % 16];
    bucket[key % 16] = e;
}
static struct node *find(unsigned key)
{
    struct node *e = bucket[key % 16];
    while (e && e->key != key)
        e = e->next;
    return e;
}
int main(void)
{
    while (__VERIFIER_nondet_uint()) {
        unsigned key = __VERIFIER_nondet_uint();
        struct node *e = find(key);
        if (e)
            e->key = key;
        else
            insert(key);
    }
    for (int i = 0; i < 16; i++) {
        struct node *e = bucket[i];
        while (e) {
            struct node *next = e->next;
            free(e);
            e = next;
        }
    }
    if (bucket[3]) bucket[3]->key = 1;
    return 0;
}
