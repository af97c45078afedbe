// case: arrays/ring
// models: a ring buffer with head and count
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct ring { int *slot; int cap, head, count; };

static void put(struct ring *r, int x) {
    if (r->count == r->cap) return;
    r->slot[(r->head + r->count) % r->cap] = x;
    r->count++;
}

static int get(struct ring *r) {
    if (r->count == 0) return 0;
    int x = r->slot[r->head];
    r->head = (r->head + 1) % r->cap;
    r->count--;
    return x;
}

int main(void) {
    int cap = __VERIFIER_nondet_int();
    if (cap < 1 || cap > 1000) return 0;
    struct ring r = { calloc(cap, sizeof(int)), cap, 0, 0 };
    if (!r.slot) abort();
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) put(&r, __VERIFIER_nondet_int());
        else get(&r);
    }
    free(r.slot);
    return 0;
}
