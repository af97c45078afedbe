// case: symheap-attack/table-of-pointers
// models: a pointer in a table is set to null at an unknown index
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 15

extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int x = 1, *t[4] = {&x, &x, &x, &x};
    unsigned i = __VERIFIER_nondet_uint() & 3, j = __VERIFIER_nondet_uint() & 3;
    t[i] = 0;
    if (i + j == 6)
        return *t[j];
    return 0;
}
