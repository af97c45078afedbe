// case: cells/bitmap
// models: bits of a set, at unknown places
// target: lp64
// property: memsafety
// verdict: safe

extern unsigned __VERIFIER_nondet_uint(void);
static unsigned char set[32];
static void add(unsigned n) { set[n / 8] |= 1u << n % 8; }
static int has(unsigned n) { return set[n / 8] >> n % 8 & 1; }
int main(void)
{
    int a[2] = {0};
    unsigned x = __VERIFIER_nondet_uint() % 256, y = __VERIFIER_nondet_uint() % 256;
    add(x);
    add(y);
    return a[has(x) + has(y) - 1];
}
