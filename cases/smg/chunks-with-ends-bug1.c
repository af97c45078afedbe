// case: smg/chunks-with-ends-bug1
// models: SMG paper Sec. 4 offset intervals: each node points to itself, behind the part of it that is used
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 35

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct chunk {
    struct chunk *next;
    char *end;
    char data[64];
};

int main(void)
{
    struct chunk *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct chunk *c = malloc(sizeof *c);
        size_t used = __VERIFIER_nondet_uint();
        if (used > sizeof c->data)
            used = 0;
        c->end = c->data + used;
        c->next = list;
        list = c;
    }
    for (struct chunk *c = list; c; c = c->next) {
        if (c->end > c->data)
            c->end[-1] = 0;
        if (c->end <= c->data + sizeof c->data)
            *c->end++ = 1;
    }
    while (list) {
        struct chunk *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
