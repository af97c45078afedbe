// case: cells/matrix
// models: a cell of a matrix at an unknown row and column
// target: lp64
// property: memsafety
// verdict: safe

extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    short m[5][5] = {0};
    int a[4] = {0};
    unsigned r = __VERIFIER_nondet_uint() % 5, c = __VERIFIER_nondet_uint() % 5;
    m[r][c] = 3;
    m[c][r] = m[r][c];
    return a[m[c][r]] + a[m[r][c]];
}
