// case: lang/union-bounds
// models: the same with a memory error: the index that is read is any number
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 14

union u { char c; int i[8]; };
static int t[4];

int main(void)
{
    union u a = {1};
    t[a.i[5]] = 1;
    return 0;
}
