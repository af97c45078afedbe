// case: cells/hash-table
// models: a table without a free place between two keys
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 13

extern unsigned __VERIFIER_nondet_uint(void);
static unsigned keys[16];
static unsigned slot(unsigned key)
{
    unsigned i = key * 7 % 16;
    while (keys[i] != 0 && keys[i] != key)
        i++;
    return i;
}
int main(void)
{
    for (int k = 0; k < 3; k++) {
        unsigned key = __VERIFIER_nondet_uint();
        if (key == 0)
            return 0;
        keys[slot(key)] = key;
    }
    return 0;
}
