// case: cells/shuffled
// models: numbers that change places stay what they are
// target: lp64
// property: memsafety
// verdict: safe

extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned char a[16], found[16] = {0};
    for (int i = 0; i < 16; i++)
        a[i] = (unsigned char)i;
    for (int k = 0; k < 2; k++) {
        unsigned i = __VERIFIER_nondet_uint() % 16, j = __VERIFIER_nondet_uint() % 16;
        unsigned char t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    return found[a[3]] + found[a[7]];
}
