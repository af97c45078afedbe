// case: symheap-attack/out-and-back
// models: a pointer leaves its object and comes back
// target: lp64
// property: memsafety
// verdict: safe

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[4] = {0};
    int n = __VERIFIER_nondet_int();
    int *p = a + n;
    p -= n;
    p += 3;
    return *p;
}
