// case: symheap-attack/depth-of-a-recursion
// models: an error at one depth of a recursion
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14

extern unsigned __VERIFIER_nondet_uint(void);
static int a[17];
static int down(unsigned n)
{
    if (n == 0)
        return a[0];
    return a[n - 1] + down(n - 1);
}
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    return n <= 18 ? down(n) : 0;
}
