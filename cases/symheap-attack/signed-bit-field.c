// case: symheap-attack/signed-bit-field
// models: three bits with a sign
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 15

extern int __VERIFIER_nondet_int(void);
struct small { int b : 3; };
int main(void)
{
    int a[7] = {0};
    struct small s;
    s.b = __VERIFIER_nondet_int();
    return a[s.b + 3];
}
