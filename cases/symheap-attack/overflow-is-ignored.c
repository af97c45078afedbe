// case: symheap-attack/overflow-is-ignored
// models: the sum of a builtin is used although it overflowed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 17

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[10] = {0}, product;
    int x = __VERIFIER_nondet_int();
    if (x < 100000)
        return 0;
    __builtin_mul_overflow(x, 3, &product);
    if (product >= 0 && product < 10)
        return a[product + (x & 15)];
    return 0;
}
