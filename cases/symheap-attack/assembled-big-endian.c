// case: symheap-attack/assembled-big-endian
// models: a length of four bytes, the highest first
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 17

extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    unsigned char b[4], a[300] = {0};
    for (int i = 0; i < 4; i++)
        b[i] = __VERIFIER_nondet_uchar();
    unsigned n = (unsigned)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
    if (n > 300)
        return 0;
    return a[n];
}
