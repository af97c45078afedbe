// case: symheap-attack/signed-sum-wraps
// models: a sum of two positive numbers is below one of them
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[10] = {0};
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x > 0 && y > 0 && x + y < 10)
        return a[x];
    return 0;
}
