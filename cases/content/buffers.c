// case: content/buffers
// models: a list of buffers, each with its own capacity and fill
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);

struct buffer {
    unsigned cap;
    unsigned len;
    char *data;
    struct buffer *next;
};

static struct buffer *open_buffer(struct buffer *next, unsigned cap)
{
    struct buffer *b = malloc(sizeof *b);
    if (b == NULL)
        abort();
    b->cap = cap;
    b->len = 0;
    b->data = malloc(cap);
    if (b->data == NULL)
        abort();
    b->next = next;
    return b;
}

int main(void)
{
    struct buffer *all = NULL;

    while (__VERIFIER_nondet_int()) {
        unsigned cap = __VERIFIER_nondet_uint();
        if (cap >= 1 && cap <= 4096)
            all = open_buffer(all, cap);
    }
    /* every byte that arrives goes into some buffer with room left */
    while (__VERIFIER_nondet_int()) {
        struct buffer *b = all;
        while (b != NULL && (b->len == b->cap || __VERIFIER_nondet_int()))
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
