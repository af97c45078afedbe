// case: symheap-attack/rounding
// models: (x / 3.0) * 3.0 is not always x, and a float does not hold every int
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 16

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int zero = 0, *p = &zero;
    int x = __VERIFIER_nondet_int();
    float f = (float)x;
    if ((long)f != x)
        p = 0;
    return *p;
}
