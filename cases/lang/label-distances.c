// case: lang/label-distances
// models: a table of distances between labels, in integers shorter than an address
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

static int run(const unsigned char *code) {
    static const int table[] = {&&add - &&add, &&twice - &&add, &&stop - &&add};
    int value = 0;
    goto *(&&add + table[*code]);
add:
    value += 3;
    code++;
    goto *(&&add + table[*code]);
twice:
    value *= 2;
    code++;
    goto *(&&add + table[*code]);
stop:
    return value;
}

int main(void) {
    static const unsigned char sums[] = {0, 1, 1, 0, 2}, nothing[] = {2};
    assert(run(sums) == 15);
    assert(run(nothing) == 0);
    return 0;
}
