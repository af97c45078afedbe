// case: lang/vector-lost-bits-bug
// models: elements of a vector wrap by themselves
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 13
#include <assert.h>

typedef unsigned char b4 __attribute__((vector_size(4)));

int main(void) {
    b4 a = {255, 1, 2, 3};
    assert((a + 1)[1] == 3);
    return 0;
}
