// case: symheap-attack/array-of-variable-size-ends-with-its-block
// models: a variable array of an inner block
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 18

extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 4 + 1;
    int *p;
    {
        int a[n];
        a[n - 1] = 3;
        p = a;
    }
    return *p;
}
