// case: lang/constant-p-both-ways-bug1
// models: __builtin_constant_p of a parameter, which an optimiser knows where the function is inlined
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 10
static inline int length(char *to, int n)
{
    if (__builtin_constant_p(n))
        to[n] = 0;
    return n;
}
int main(void)
{
    char to[4];
    return length(to, 4) - 4;
}
