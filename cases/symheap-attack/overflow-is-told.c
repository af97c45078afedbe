// case: symheap-attack/overflow-is-told
// models: a builtin tells of the overflow
// target: lp64
// property: memsafety
// verdict: safe

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[10] = {0}, sum;
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 || y < 0 || __builtin_add_overflow(x, y, &sum) || sum >= 10)
        return 0;
    return a[x] + a[y];
}
