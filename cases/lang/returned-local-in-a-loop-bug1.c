// case: lang/returned-local-in-a-loop-bug1
// models: a local of a loop's body that is returned is a new one in each iteration
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 15
struct big { long a[5]; };
static struct big find(int n)
{
    long *before = 0;
    for (int i = 0;; i++) {
        struct big b = { { i } };
        if (before) {
            b.a[1] = 3;
            b.a[2] = *before;
        }
        before = &b.a[1];
        if (i == n)
            return b;
    }
}
int main(void)
{
    struct big b = find(2);
    return (int)b.a[0] - 2;
}
