// case: lang/converted-parameter-bug2
// models: the value of a parameter that is converted on entry
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 11
static int f(a, n) int *a; unsigned char n;
{
    int i;
    for (i = 0; i <= n; i++)
        a[i] = i;
    return a[0];
}
int main(void)
{
    int a[4];
    return f(a, (unsigned char)(256 + 4));
}
