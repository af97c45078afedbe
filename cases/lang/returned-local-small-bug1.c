// case: lang/returned-local-small-bug1
// models: the address of a small structure that is returned in registers
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 19
struct s { int a, b; };
static int *kept;
static struct s make(int k)
{
    struct s l = { k, 2 };
    kept = &l.b;
    return l;
}
int main(void)
{
    struct s x = make(1);
    kept = x.a == 2 ? &x.b : kept;
    return *kept;
}
