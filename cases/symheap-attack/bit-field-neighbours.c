// case: symheap-attack/bit-field-neighbours
// models: a store to a bit field leaves its neighbours alone
// target: lp64
// property: memsafety
// verdict: safe

extern unsigned __VERIFIER_nondet_uint(void);
struct packed { unsigned a : 5, b : 11, c : 16; };
int main(void)
{
    int zero = 0, *p = &zero;
    struct packed s = {1, 2, 3};
    s.b = __VERIFIER_nondet_uint();
    if (s.a != 1 || s.c != 3 || s.b > 2047)
        p = 0;
    return *p;
}
