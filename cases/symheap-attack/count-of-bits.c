// case: symheap-attack/count-of-bits
// models: the number of set bits, of leading and of trailing zeros
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 16

extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int a[33] = {0};
    unsigned x = __VERIFIER_nondet_uint();
    if (x == 0)
        return 0;
    unsigned n = __builtin_popcount(x) + __builtin_clz(x) + 30 * (__builtin_ctz(x) == 29);
    return a[n];
}
