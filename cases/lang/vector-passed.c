// case: lang/vector-passed
// models: vectors as parameters, results, members and variadic arguments
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <stdarg.h>

typedef int v2 __attribute__((vector_size(8)));
typedef short s8 __attribute__((vector_size(16)));
struct holder {
    char tag;
    v2 inner;
    s8 outer;
};
struct pair {
    float x, y;
};

static v2 twice(v2 a) {
    return a + a;
}

static struct holder made(v2 a, s8 b) {
    struct holder h = {'h', a, b};
    return h;
}

static float total(int count, ...) {
    va_list list;
    float sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        struct pair p = va_arg(list, struct pair);
        sum += p.x * p.y;
    }
    va_end(list);
    return sum;
}

static v2 table[3] = {{1, 2}, {3, 4}, {5, 6}};

int main(void) {
    v2 sum = {0, 0};
    for (int i = 0; i < 3; i++)
        sum += twice(table[i]);
    assert(sum[0] == 18 && sum[1] == 24);
    struct holder h = made(sum, (s8){1, 2, 3, 4, 5, 6, 7, 8});
    assert(h.tag == 'h' && h.inner[1] == 24 && h.outer[7] == 8);
    struct pair a = {1.5f, 2}, b = {3, 0.5f};
    assert(total(2, a, b) == 4.5f);
    return 0;
}
