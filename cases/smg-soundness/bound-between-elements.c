// case: smg-soundness/bound-between-elements
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 21
// models: 2 * i > j and j >= 0 leave i >= 1/2 between rational numbers, so the offset 4 * i is at least 2. No element begins there.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int t[48];
int main(void) {
    for (int k = 0; k < 48; k++)
        t[k] = 6;
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i > 47 || j < -500 || j > 500 || __VERIFIER_nondet_int() != 0x1eaf5eed)
        return 0;
    if (2 * i <= j || j < 0)
        return 0;
    int v = t[i];
    char *b = malloc(4);
    if (v < 1000)
        b[v] = 0;
    free(b);
    return j > 0;
}
