// case: smg-soundness/bound-of-two-indexes
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 22
// models: the same with the sum of two indexes, in a table of pairs of pointers.
int __VERIFIER_nondet_int(void);
struct pair {
    char *p, *q;
} t[64];
static char g;
int main(void) {
    for (int k = 0; k < 64; k++) {
        t[k].p = &g;
        t[k].q = 0;
    }
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(), l = __VERIFIER_nondet_int();
    if (i < 0 || i > 30 || j < 0 || j > 30 || l < -500 || l > 500 || __VERIFIER_nondet_int() != 0x1eaf5eed)
        return 0;
    if (2 * i + 2 * j <= l || l < 0)
        return 0;
    *t[i + j].q = 1;
    return l > 0;
}
