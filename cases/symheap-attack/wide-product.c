// case: symheap-attack/wide-product
// models: the upper half of a product of 128 bits
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14

extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void)
{
    int a[5] = {0};
    unsigned long x = __VERIFIER_nondet_ulong();
    unsigned long high = (unsigned long)((unsigned __int128)x * 6 >> 64);
    return a[high];
}
