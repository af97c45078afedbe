#include <stdlib.h>

struct item {
    int key;
    struct item *next;
};

struct queue {
    struct item *first;
    struct item *last;
};

extern int __VERIFIER_nondet_int(void);

static void put(struct queue *q, int key) {
    struct item *item = malloc(sizeof *item);
    item->key = key;
    item->next = NULL;
    if (q->last != NULL)
        q->last->next = item;
    else
        q->first = item;
    q->last = item;
}

static int take(struct queue *q) {
    struct item *item = q->first;
    int key = item->key;
    q->first = item->next;
    free(item);
    return key;
}

int main(void) {
    struct queue q = { NULL, NULL };
    for (int i = __VERIFIER_nondet_int(); i > 0; i--)
        put(&q, i);
    while (q.first != NULL)
        take(&q);
    put(&q, 0);
    take(&q);
    return 0;
}
