// case: cells/hexadecimal
// models: digits by a table, the last one too large for what it is used for
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 25

extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    static const char value[56] = {
        ['0' - '0'] = 0, ['1' - '0'] = 1, ['2' - '0'] = 2, ['3' - '0'] = 3, ['4' - '0'] = 4, ['5' - '0'] = 5,
        ['6' - '0'] = 6, ['7' - '0'] = 7, ['8' - '0'] = 8, ['9' - '0'] = 9, ['A' - '0'] = 10, ['B' - '0'] = 11,
        ['C' - '0'] = 12, ['D' - '0'] = 13, ['E' - '0'] = 14, ['F' - '0'] = 15, ['a' - '0'] = 10, ['b' - '0'] = 11,
        ['c' - '0'] = 12, ['d' - '0'] = 13, ['e' - '0'] = 14, ['f' - '0'] = 15,
    };
    int a[4096] = {0};
    unsigned n = 0;
    for (int k = 0; k < 4; k++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c < '0' || c > 'f')
            return 0;
        n = n * 16 + value[c - '0'];
    }
    return n == 0x2badu ? a[n] : 0;
}
