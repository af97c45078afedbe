// case: lang/bit-fields
// models: bit-fields are read-modify-write of words that are partly uninitialised; signed, unsigned, zero width, packed
// target: lp64
// property: assertions
// verdict: safe

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct flags { unsigned a : 3; unsigned b : 5; int c : 4; unsigned : 0; unsigned d : 17; _Bool e : 1; };
struct __attribute__((packed)) header { unsigned char kind : 4, version : 4; unsigned length : 24; void *next; };
struct wide { unsigned long long low : 36, high : 28; };

static struct flags table[2] = { { 1, 2, -3, 4, 1 }, { .d = 131071 } };

int main(void)
{
    struct flags *f = malloc(sizeof *f);
    f->a = 9;
    f->b = 31;
    f->c = -8;
    f->d = 1u << 16;
    f->e = 3;
    assert(f->a == 1 && f->b == 31 && f->c == -8 && f->d == 65536 && f->e == 1);
    f->c = 7;
    f->c++;
    assert(f->c == -8);
    f->b += 1;
    assert(f->b == 0 && f->a == 1);
    free(f);

    assert(table[0].c == -3 && table[0].e && table[1].d == 131071 && table[1].a == 0);

    struct header h;
    h.kind = 5;
    h.version = 12;
    h.length = 0xABCDEF;
    h.next = &h;
    assert(sizeof h == 12 && h.kind == 5 && h.version == 12 && h.length == 0xABCDEF && h.next == &h);
    struct header copy = h;
    copy.length++;
    assert(copy.length == 0xABCDF0 && copy.next == &h);

    struct wide w = { .low = 0xFFFFFFFFFull, .high = 5 };
    w.low += 1;
    assert(w.low == 0 && w.high == 5);
    return 0;
}
