// case: content/drop-functions
// models: each node has a function that knows what the node holds
// target: lp64
// property: memcleanup
// verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct task {
    struct task *next;
    void (*drop)(struct task *);
    void *data;
};

struct buffer {
    char *bytes;
};

static void *get(size_t size)
{
    void *block = malloc(size);
    if (block == NULL)
        abort();
    return block;
}

static void drop_nothing(struct task *task)
{
    free(task);
}

static void drop_block(struct task *task)
{
    *(int *)task->data = 0;
    free(task->data);
    free(task);
}

static void drop_buffer(struct task *task)
{
    struct buffer *buffer = task->data;
    free(buffer->bytes);
    free(buffer);
    free(task);
}

int main(void)
{
    struct task *queue = NULL;

    while (__VERIFIER_nondet_int()) {
        struct task *task = get(sizeof *task);
        int how = __VERIFIER_nondet_int();
        if (how == 0) {
            task->drop = drop_nothing;
            task->data = queue == NULL ? NULL : queue->data;
        } else if (how == 1) {
            task->data = get(sizeof(int));
            task->drop = drop_block;
        } else {
            struct buffer *buffer = get(sizeof *buffer);
            buffer->bytes = get(32);
            task->data = buffer;
            task->drop = drop_buffer;
        }
        if (how == 0)
            task->data = NULL;
        task->next = queue;
        queue = task;
    }
    while (queue != NULL) {
        struct task *task = queue;
        queue = task->next;
        task->drop(task);
    }
    return 0;
}
