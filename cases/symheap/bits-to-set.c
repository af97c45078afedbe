// case: symheap/bits-to-set
// models: an input with exactly the right bits
// target: lp64
// property: assertions
// verdict: unsafe
// error: division-by-zero line 15

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    unsigned odd = x & 0x55555555u, even = x >> 1 & 0x55555555u;
    unsigned d = (odd ^ 0x41104505u) | (even ^ 0x00515110u);
    return (int)(100u / d);
}
