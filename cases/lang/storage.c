// case: lang/storage
// models: VLAs, alloca, flexible arrays, compound literals, static locals, relocations, weak and alias symbols, constructors, unions, thread-local, 128 bit, atomics, builtins
// target: lp64
// property: assertions
// verdict: safe

#include <alloca.h>
#include <assert.h>
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct flex { int n; short items[]; };
struct node { struct node *next; const char *name; int (*op)(int); };
static int twice(int x) { return 2 * x; }
static int negate(int x) { return -x; }
static struct node nodes[] = { { &nodes[1], "twice", twice }, { 0, &"xnegate"[1], negate } };
static int grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
static int *middle = &grid[1][1];
static const ptrdiff_t distance = offsetof(struct node, op);
int real_name(int x) { return x + 1; }
int other_name(int) __attribute__((alias("real_name")));
int weak_one(void) __attribute__((weak));
int weak_one(void) { return 77; }
extern int never_defined(void) __attribute__((weak));
static _Thread_local int local_counter = 3;
static int constructed;
__attribute__((constructor)) static void construct(void) { constructed = 5; }
static inline int inlined(int x) { return x ^ 1; }

static int counter(void) { static int calls = 40; return ++calls; }

static long vla(int n)
{
    long total = 0;
    for (int i = 1; i <= n; i++) {
        int row[i], square[i][i];
        for (int j = 0; j < i; j++)
            row[j] = square[j][i - 1] = j;
        total += row[i - 1] + square[i - 1][i - 1] + (long)sizeof square / (long)sizeof(int);
    }
    return total;
}

int main(void)
{
    struct flex *f = malloc(sizeof *f + 3 * sizeof(short));
    f->n = 3;
    for (int i = 0; i < f->n; i++)
        f->items[i] = (short)(i * i);
    assert(f->items[2] == 4);
    free(f);
    assert(nodes[0].next->op(nodes[0].op(3)) == -6 && strcmp(nodes[0].next->name, "negate") == 0);
    assert(*middle == 5 && middle[-1] == 4 && middle - &grid[0][0] == 4 && distance == 16);
    assert(other_name(1) == 2 && weak_one() == 77 && !never_defined && inlined(2) == 3);
    assert(local_counter++ == 3 && local_counter == 4 && constructed == 5);
    assert(counter() == 41 && counter() == 42);
    assert(vla(3) == 0 + 2 + 4 + 1 + 4 + 9);
    char *area = alloca(10);
    memset(area, 'q', 10);
    assert(area[9] == 'q');
    int *literal = (int[]){ 7, 8, 9 };
    literal[1] += 10;
    assert(literal[1] == 18 && ((struct node){ .name = "tmp" }).op == 0);
    union { double d; uint64_t u; unsigned char b[8]; void *p; } u = { .d = 1.0 };
    assert(u.u == 0x3FF0000000000000 && u.b[7] == 0x3F);
    u.p = literal;
    uintptr_t tagged = (uintptr_t)u.p | 1;
    assert((tagged & 1) && ((int *)(tagged & ~(uintptr_t)1))[2] == 9);
    unsigned char bytes[sizeof literal];
    for (size_t i = 0; i < sizeof literal; i++)
        bytes[i] = ((unsigned char *)&literal)[i];
    int *again;
    memcpy(&again, bytes, sizeof again);
    assert(again[0] == 7);
    __int128 big = (__int128)LONG_MAX * 4;
    assert((long)(big / 8) == LONG_MAX / 2 && (long)(big >> 2) == LONG_MAX);
    atomic_int a = 5;
    assert(atomic_fetch_add(&a, 3) == 5 && atomic_load(&a) == 8);
    int expected = 8;
    assert(atomic_compare_exchange_strong(&a, &expected, 1) && a == 1);
    int out;
    assert(__builtin_add_overflow(INT_MAX, 1, &out) && !__builtin_mul_overflow(3, 4, &out) && out == 12);
    assert(__builtin_clz(1) == 31 && __builtin_ctz(8) == 3 && __builtin_popcount(255) == 8);
    assert(__builtin_bswap32(0x01020304) == 0x04030201);
    __asm__ volatile("" ::: "memory");
    long double ld = 1.0L / 3;
    assert(ld * 3 > 0.9999L && (int)(ld * 300) == 100);
    float fl = 0.1f;
    assert((double)fl != 0.1 && (unsigned char)(int)300.7 == 44);
    return 0;
}
