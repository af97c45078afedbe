// case: symheap-attack/boolean-with-two
// models: a truth value is 0 or 1, whatever it was made of
// target: lp64
// property: memsafety
// verdict: safe

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[2] = {0};
    _Bool b = __VERIFIER_nondet_int();
    return a[b];
}
