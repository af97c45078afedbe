// case: symheap-attack/recursion-on-two-sides
// models: a recursion that halves its range
// target: lp64
// property: memsafety
// verdict: safe

extern unsigned __VERIFIER_nondet_uint(void);
static int a[8];
static int sum(unsigned from, unsigned to)
{
    if (from == to)
        return 0;
    if (from + 1 == to)
        return a[from];
    unsigned middle = (from + to) / 2;
    return sum(from, middle) + sum(middle, to);
}
int main(void)
{
    return sum(0, 8);
}
