// case: lang/converted-parameter-bug1
// models: the address of a parameter that is converted on entry, kept after the call
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 16
static _Bool *kept;
static int f(a, take) int a; _Bool take;
{
    kept = &take;
    return *kept ? a : 0;
}
int main(void)
{
    int n = f(3, 1);
    return *kept + n;
}
