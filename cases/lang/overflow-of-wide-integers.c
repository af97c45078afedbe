// case: lang/overflow-of-wide-integers
// models: __builtin_add_overflow and its relatives where no type has twice the width; rotations by a variable
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;

static const wide MOST = (wide)(~(uwide)0 >> 1);

static unsigned rotated(unsigned x, unsigned by) {
    return __builtin_rotateleft32(x, by) ^ __builtin_rotateright32(x, by);
}

int main(void) {
    wide r;
    uwide u;
    long long l;
    unsigned long long ul;
    assert(__builtin_add_overflow(MOST, (wide)1, &r) && r == -MOST - 1);
    assert(!__builtin_add_overflow(MOST, (wide)-1, &r) && r == MOST - 1);
    assert(__builtin_sub_overflow(-MOST - 1, (wide)1, &r) && r == MOST);
    assert(!__builtin_sub_overflow((wide)-1, MOST, &r) && r == -MOST - 1);
    assert(__builtin_add_overflow(~(uwide)0, (uwide)1, &u) && u == 0);
    assert(__builtin_sub_overflow((uwide)1, (uwide)2, &u) && u == ~(uwide)0);
    assert(__builtin_mul_overflow(~(uwide)0, (uwide)2, &u));
    assert(!__builtin_mul_overflow((uwide)0, ~(uwide)0, &u) && u == 0);
    assert(!__builtin_mul_overflow((wide)1 << 64, (wide)-1 << 62, &r) && r == (wide)-1 << 126);
    assert(!__builtin_mul_overflow((wide)1 << 64, (wide)-1 << 63, &r) && r == -MOST - 1);
    assert(__builtin_mul_overflow((wide)1 << 64, (wide)1 << 63, &r));
    assert(__builtin_mul_overflow(-MOST - 1, (wide)-1, &r));
    assert(__builtin_mul_overflow(-1, ~0ULL, &l));
    assert(__builtin_mul_overflow(3ULL, -1LL, &ul));
    assert(!__builtin_mul_overflow(3ULL, -1LL, &l) && l == -3);
    assert(rotated(0x80000001u, 0) == 0);
    assert(rotated(0x80000001u, 4) == (0x00000018u ^ 0x18000000u));
    assert(rotated(0x80000001u, 36) == rotated(0x80000001u, 4));
    return 0;
}
