// case: arrays/priority-queue-bug2
// models: a binary heap in a block that is doubled
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 37
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct queue { int *items; size_t count, room; };

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static void push(struct queue *q, int item) {
    if (q->count == q->room) {
        size_t room = q->room ? 2 * q->room : 8;
        int *items = realloc(q->items, room * sizeof *items);
        if (!items) abort();
        q->items = items;
        q->room = room;
    }
    size_t i = q->count++;
    q->items[i] = item;
    while (i > 0) {
        size_t parent = (i - 1) / 2;
        if (q->items[parent] <= q->items[i]) break;
        swap(&q->items[parent], &q->items[i]);
        i = parent;
    }
}

static int pop(struct queue *q) {
    int least = q->items[0];
    q->items[0] = q->items[--q->count];
    size_t i = 0;
    while (2 * i + 1 < q->count) {
        size_t child = 2 * i + 1;
        if (child + 1 < q->count && q->items[child + 1] < q->items[child]) child++;
        if (q->items[i] <= q->items[child]) break;
        swap(&q->items[i], &q->items[child]);
        i = child;
    }
    return least;
}

int main(void) {
    struct queue q = { 0 };
    for (int k = 0; k < 500; k++) {
        if (__VERIFIER_nondet_int()) push(&q, __VERIFIER_nondet_int());
        else pop(&q);
    }
    free(q.items);
    return 0;
}
