// case: symheap-attack/array-of-variable-size
// models: one element behind an array whose size is an input
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 15

extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 100 + 1;
    char a[n];
    unsigned i = __VERIFIER_nondet_uint();
    if (i <= n && i > 90)
        a[i] = 1;
    return 0;
}
