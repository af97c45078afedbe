// case: symheap-attack/goto-by-address
// models: a jump to one of several labels
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 17

extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    static void *const to[] = {&&first, &&second, &&third};
    int zero = 0, *p = &zero;
    goto *to[__VERIFIER_nondet_uint() % 3];
third:
    p = 0;
first:
    return *p;
second:
    return 1;
}
