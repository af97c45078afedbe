// case: smg/counted-in-branches
// models: numbers that grow in the branches of a loop come to rest, also where so many ways meet that they are joined
// target: lp64
// property: memsafety
// verdict: safe

extern int __VERIFIER_nondet_int(void);

static int rounds(int x, int y, int z)
{
    int count = 0, *px = &x, *pz = &z;
    while (*px < y) {
        if (*px < *pz)
            *px = *px + 1;
        else
            *pz = *pz + 1;
        count = count + 1;
    }
    return count;
}

int main(void)
{
    return rounds(__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), __VERIFIER_nondet_int());
}
