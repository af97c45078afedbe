// case: smg/aligned-arena
// models: SMG paper Sec. 4 address alignment: blocks of aligned sizes are cut from an arena that holds its own limits as numbers
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>
#include <string.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define ALIGN(n) (((uintptr_t)(n) + 7) & ~(uintptr_t)7)

struct arena {
    struct arena *next;
    uintptr_t base, limit, avail;
};

static void *cut(struct arena *a, size_t bytes)
{
    uintptr_t size = ALIGN(bytes);
    if (a->limit - a->avail < size)
        return NULL;
    char *p = (char *)a->avail;
    a->avail += size;
    return p;
}

int main(void)
{
    struct arena *a = malloc(sizeof *a + 1021);
    a->next = NULL;
    a->limit = (uintptr_t)a + sizeof *a + 1021;
    a->base = a->avail = ALIGN(a + 1);
    while (__VERIFIER_nondet_int()) {
        unsigned n = __VERIFIER_nondet_uint();
        if (n == 0 || n > 900)
            n = 900;
        char *p = cut(a, n);
        if (!p)
            break;
        memset(p, 0, ALIGN(n));
    }
    free(a);
    return 0;
}
