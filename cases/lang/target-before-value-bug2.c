// case: lang/target-before-value-bug2
// models: the target of an assignment may be computed after the right side
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 11
static int a[3], i = 2;
static int next(void) { return i++; }
int main(void)
{
    a[i] = next();
    return 0;
}
