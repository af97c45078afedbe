// case: cells/automaton
// models: a table of states, one word of which leads out of it
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 21

extern unsigned char __VERIFIER_nondet_uchar(void);
static const unsigned char next[6][6] = {
    {1, 0, 0, 0, 0, 0}, {1, 2, 0, 0, 0, 0}, {1, 0, 3, 0, 0, 0}, {1, 0, 0, 4, 0, 0}, {1, 2, 0, 0, 5, 0}, {1, 0, 0, 0, 0, 6},
};
int main(void)
{
    int seen[6] = {0};
    unsigned state = 0;
    for (int k = 0; k < 6; k++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c >= 6)
            return 0;
        state = next[state][c];
        seen[state]++;
    }
    return seen[0];
}
