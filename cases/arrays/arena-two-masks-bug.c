// case: arrays/arena-two-masks-bug
// models: an arena whose alignment is chosen at run time: 4 or 32 bytes; the size is rounded once by the allocator and once by its user, who takes the larger alignment
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 57

#include <stdlib.h>
#include <string.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct chunk {
    struct chunk *older;
    uintptr_t free, end;
};

struct arena {
    struct chunk *chunk;
    uintptr_t low_bits;
};

static uintptr_t rounded(const struct arena *arena, uintptr_t n)
{
    return (n + arena->low_bits) & ~arena->low_bits;
}

static void add_chunk(struct arena *arena)
{
    struct chunk *chunk = malloc(sizeof *chunk + 500);
    chunk->older = arena->chunk;
    chunk->end = (uintptr_t)chunk + sizeof *chunk + 500;
    chunk->free = rounded(arena, (uintptr_t)(chunk + 1));
    arena->chunk = chunk;
}

static char *take(struct arena *arena, unsigned size)
{
    uintptr_t bytes = rounded(arena, size);
    if (!arena->chunk || arena->chunk->end - arena->chunk->free < bytes)
        add_chunk(arena);
    char *block = (char *)arena->chunk->free;
    arena->chunk->free += bytes;
    return block;
}

int main(void)
{
    struct arena arena = { NULL, 3 };
    if (__VERIFIER_nondet_int())
        arena.low_bits = 31;
    while (__VERIFIER_nondet_int()) {
        unsigned size = __VERIFIER_nondet_uint() % 300;
        char *block = take(&arena, size);
        memset(block, 0, (size + 31) & ~31u);
    }
    while (arena.chunk) {
        struct chunk *older = arena.chunk->older;
        free(arena.chunk);
        arena.chunk = older;
    }
    return 0;
}
