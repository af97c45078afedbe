// case: smg-soundness/bound-in-another-field
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 23
// models: the offset 12 * i + 4 is at least 8 between rational numbers: another field. Fields of elements are as far apart as these are long.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct row {
    int a, b, c;
} t[64];
int main(void) {
    for (int k = 0; k < 64; k++) {
        t[k].a = 1, t[k].b = 7, t[k].c = 1;
    }
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i > 62 || j < -500 || j > 500 || __VERIFIER_nondet_int() != 0x1eaf5eed)
        return 0;
    if (3 * i <= j || j < 0)
        return 0;
    int v = t[i].b;
    char *b = malloc(4);
    b[v] = 0;
    free(b);
    return j > 0;
}
