// case: symheap-attack/table-of-functions
// models: an empty place in a table of functions
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 14

extern unsigned __VERIFIER_nondet_uint(void);
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*const table[4])(void) = {one, two, 0, one};
int main(void)
{
    return table[__VERIFIER_nondet_uint() & 3]();
}
