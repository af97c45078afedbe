// case: lang/open-order-of-operands-bug1
// models: C leaves open whether a variable is read before or after a call beside it
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 11
static int a[3], i;
static int two(void) { i = 1; return 2; }
int main(void)
{
    return a[i + two()];
}
