// case: symheap-attack/literal-is-written
// models: a string literal through a pointer that may lead elsewhere
// target: lp64
// property: memsafety
// verdict: unsafe
// error: readonly-write line 14

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    char a[4] = "abc", *p = a;
    if (__VERIFIER_nondet_int() == 1234)
        p = "abc";
    p[0] = 'x';
    return 0;
}
