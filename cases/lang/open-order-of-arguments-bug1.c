// case: lang/open-order-of-arguments-bug1
// models: C leaves open which argument is computed first
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 10
static int a[3], i = 1;
static int up(void) { return i *= 2; }
static int down(void) { return i = 1; }
static int last(int x, int y) { return a[x + y]; }
int main(void)
{
    i = 2;
    return last(down(), up());
}
