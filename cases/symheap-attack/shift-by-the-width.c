// case: symheap-attack/shift-by-the-width
// models: a shift by the width gives anything
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 16

extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int a[2] = {0};
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 32)
        return 0;
    unsigned x = 5u >> n;
    return a[x > 5 ? 2 : 0];
}
