// case: symheap-attack/index-in-a-signed-char
// models: an index that is negative after it is cut to a char
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 16

extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[256] = {0};
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 255)
        return 0;
    signed char c = (signed char)n;
    return a[c];
}
