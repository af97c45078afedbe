// case: symheap-attack/constant-local-is-written
// models: a constant variable through a cast
// target: lp64
// property: memsafety
// verdict: unsafe
// error: readonly-write line 14

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    const int x = 3;
    int y = 4;
    int *p = __VERIFIER_nondet_int() == -9 ? (int *)&x : &y;
    *p = 5;
    return x + y;
}
