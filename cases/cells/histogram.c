// case: cells/histogram
// models: how often each digit occurs among five
// target: lp64
// property: memsafety
// verdict: safe

extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned char count[16] = {0};
    int a[6] = {0}, n = 0;
    for (int k = 0; k < 5; k++)
        count[__VERIFIER_nondet_uint() % 16]++;
    for (int i = 0; i < 4; i++)
        n += count[i] > 5;
    return a[n];
}
