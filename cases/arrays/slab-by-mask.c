// case: arrays/slab-by-mask
// models: slabs that start at multiples of their size: the slab of a piece is found by cutting off the low bits of its address
// target: lp64
// property: memsafety
// verdict: safe

#include <stdlib.h>
#include <string.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);

#define SLAB 1024u
#define PIECE 40u

struct slab {
    struct slab *next;
    unsigned used, freed;
};

static struct slab *slabs;

static void *take(void)
{
    if (!slabs || slabs->used + PIECE > SLAB) {
        struct slab *slab = aligned_alloc(SLAB, SLAB);
        slab->next = slabs;
        slab->used = sizeof *slab;
        slab->freed = 0;
        slabs = slab;
    }
    void *piece = (char *)slabs + slabs->used;
    slabs->used += PIECE;
    return piece;
}

static void give_back(void *piece)
{
    struct slab *slab = (struct slab *)((uintptr_t)piece & ~(uintptr_t)(SLAB - 1));
    slab->freed++;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        char *piece = take();
        memset(piece, 0, PIECE);
        if (__VERIFIER_nondet_int())
            give_back(piece + PIECE - 1);
    }
    while (slabs) {
        struct slab *next = slabs->next;
        free(slabs);
        slabs = next;
    }
    return 0;
}
