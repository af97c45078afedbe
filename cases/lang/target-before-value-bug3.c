// case: lang/target-before-value-bug3
// models: the target of an assignment may be computed before the right side: through a null pointer
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 12
struct item { unsigned low, high; };
static struct item store, *at;
static unsigned open(void) { at = &store; return 1; }
int main(void)
{
    at->high = open();
    return 0;
}
