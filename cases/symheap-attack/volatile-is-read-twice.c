// case: symheap-attack/volatile-is-read-twice
// models: nobody else changes a volatile variable here
// target: lp64
// property: memsafety
// verdict: safe

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[4] = {0};
    volatile int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 4)
        return a[i];
    return 0;
}
