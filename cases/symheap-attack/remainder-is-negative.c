// case: symheap-attack/remainder-is-negative
// models: the remainder of a negative number
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 12

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[5] = {0};
    return a[__VERIFIER_nondet_int() % 5];
}
