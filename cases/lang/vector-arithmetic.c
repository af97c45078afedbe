// case: lang/vector-arithmetic
// models: vectors of GCC: arithmetic, comparison, conversion and shuffles, element by element
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef long long l8 __attribute__((vector_size(64)));

static v4 scaled(v4 a, int by) {
    return a * by + (v4){1, 1, 1, 1};
}

static l8 wide(long long first) {
    l8 r = {first, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6, first + 7};
    return -r;
}

int main(void) {
    v4 a = {1, -2, 3, -4};
    v4 b = scaled(a, 10);
    assert(b[0] == 11 && b[1] == -19 && b[2] == 31 && b[3] == -39);
    v4 less = a < b;
    assert(less[0] == -1 && less[1] == 0 && less[2] == -1 && less[3] == 0);
    v4 chosen = __builtin_shufflevector(a, b, 0, 5, 3, 6);
    assert(chosen[0] == 1 && chosen[1] == -19 && chosen[2] == -4 && chosen[3] == 31);
    f4 f = __builtin_convertvector(a, f4) / 2.0f;
    assert(f[0] == 0.5f && f[3] == -2.0f);
    b16 bytes = (b16)(v4){0x04030201, 0x08070605, 0, -1};
    assert(bytes[0] == 1 && bytes[6] == 7 && bytes[8] == 0 && bytes[15] == 255);
    l8 big = wide(1LL << 40);
    assert(big[7] == -(1LL << 40) - 7);
    a[2] = 7;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += a[i] << i;
    assert(sum == 1 - 4 + 28 - 32);
    return 0;
}
