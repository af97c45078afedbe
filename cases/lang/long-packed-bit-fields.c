// case: lang/long-packed-bit-fields
// models: bit-fields that share more than 128 bits of storage
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

#pragma pack(push, 1)
struct record {
    signed a : 11;
    unsigned long long b : 55;
    signed long long c : 47;
    unsigned d : 21;
    signed e : 2;
    unsigned long long f : 60;
};
#pragma pack(pop)

static struct record fixed = {-3, 0x12345678901234, -5, 0x1fffff, -2, 0xabcdef012345678};

static struct record moved(struct record r, int by) {
    r.a += by;
    r.c -= by;
    r.e = by;
    return r;
}

int main(void) {
    assert(sizeof(struct record) == 25);
    assert(fixed.a == -3 && fixed.b == 0x12345678901234 && fixed.c == -5);
    assert(fixed.d == 0x1fffff && fixed.e == -2 && fixed.f == 0xabcdef012345678);
    struct record r = moved(fixed, 1);
    assert(r.a == -2 && r.c == -6 && r.e == 1 && r.b == fixed.b && r.d == fixed.d && r.f == fixed.f);
    r.f = ~r.f;
    r.d ^= 5;
    r.b = 0;
    assert(r.f == 0x5432 * (1ULL << 44) + 0x10fedcba987 && r.d == 0x1ffffa && r.b == 0 && r.c == -6);
    return 0;
}
