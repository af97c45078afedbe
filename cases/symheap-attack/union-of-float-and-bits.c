// case: symheap-attack/union-of-float-and-bits
// models: the bits of a float are an input like others
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 16

extern float __VERIFIER_nondet_float(void);
union both { float f; unsigned bits; };
int main(void)
{
    int a[4] = {0};
    union both u;
    u.f = __VERIFIER_nondet_float();
    if (u.bits == 0x7fc00001u)
        return a[4 + (u.bits & 3)];
    return a[0];
}
