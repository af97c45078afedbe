// case: tutorial/first-fixed
// models: the first program of the tutorial: the queue of first.c, repaired
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
    struct job *first;
    struct job *last;
};

/* Adds a job at the end of the queue. */
static void put(struct queue *queue, int id)
{
    struct job *job = malloc(sizeof *job);

    if (job == NULL)
        abort();
    job->id = id;
    job->next = NULL;
    if (queue->last == NULL)
        queue->first = job;
    else
        queue->last->next = job;
    queue->last = job;
}

/* Takes the first job out of the queue; -1 if there is none. */
static int take(struct queue *queue)
{
    struct job *job = queue->first;
    int id;

    if (job == NULL)
        return -1;
    id = job->id;
    queue->first = job->next;
    free(job);
    if (queue->first == NULL)
        queue->last = NULL;
    return id;
}

/* A positive command adds a job, a negative one takes a job, 0 ends. */
int main(void)
{
    struct queue queue = {NULL, NULL};
    int command;

    while ((command = __VERIFIER_nondet_int()) != 0) {
        if (command > 0)
            put(&queue, command);
        else
            take(&queue);
    }
    while (queue.first != NULL)
        take(&queue);
    return 0;
}
