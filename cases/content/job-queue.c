// case: content/job-queue
// models: a queue whose head knows its length
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    int id;
    struct job *next;
};

struct queue {
    struct job *head;
    struct job *tail;
    int len;
};

static void put(struct queue *q, int id)
{
    struct job *j = malloc(sizeof *j);
    if (j == NULL)
        abort();
    j->id = id;
    j->next = NULL;
    if (q->tail == NULL)
        q->head = j;
    else
        q->tail->next = j;
    q->tail = j;
    q->len++;
}

static int take(struct queue *q)
{
    struct job *j = q->head;
    int id = j->id;

    q->head = j->next;
    q->len--;
    if (q->len == 0)
        q->tail = NULL;
    free(j);
    return id;
}

int main(void)
{
    struct queue q = { NULL, NULL, 0 };
    int done = 0;

    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() && q.len < 500)
            put(&q, __VERIFIER_nondet_int());
        else if (q.len > 0)
            done = take(&q);
    }
    while (q.len > 0)
        done = take(&q);
    return done != 0;
}
