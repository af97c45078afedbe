// case: symheap-attack/not-a-number
// models: a number that is not equal to itself
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 15

extern double __VERIFIER_nondet_double(void);
int main(void)
{
    int zero = 0, *p = &zero;
    double x = __VERIFIER_nondet_double();
    if (x != x)
        p = 0;
    return *p;
}
