// case: content/buffers-bug
// models: a list of buffers, each with its capacity and fill; with a fault
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 48
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

#define CHUNK 64

struct buffer {
    unsigned cap;
    unsigned len;
    char *data;
    struct buffer *next;
};

static struct buffer *open_buffer(struct buffer *next)
{
    struct buffer *b = malloc(sizeof *b);
    if (b == NULL)
        abort();
    b->cap = CHUNK;
    b->len = 0;
    b->data = malloc(CHUNK);
    if (b->data == NULL)
        abort();
    b->next = next;
    return b;
}

int main(void)
{
    struct buffer *all = NULL;

    while (__VERIFIER_nondet_int())
        all = open_buffer(all);
    /* every byte that arrives goes into some buffer with room left */
    while (__VERIFIER_nondet_int()) {
        struct buffer *b = all;
        while (b != NULL && (b->len > b->cap || __VERIFIER_nondet_int()))
            b = b->next;
        if (b == NULL)
            continue;
        b->data[b->len] = __VERIFIER_nondet_char();
        b->len++;
    }
    while (all != NULL) {
        struct buffer *b = all;
        all = b->next;
        free(b->data);
        free(b);
    }
    return 0;
}
