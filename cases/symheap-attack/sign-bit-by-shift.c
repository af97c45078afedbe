// case: symheap-attack/sign-bit-by-shift
// models: 1 << 31 is negative
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 16

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[2] = {0};
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 31)
        return 0;
    int bit = (int)(1u << n);
    return a[bit >> 31];
}
