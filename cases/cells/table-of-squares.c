// case: cells/table-of-squares
// models: numbers of a table are indexes of another one
// target: lp64
// property: memsafety
// verdict: safe

extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int square[32], found[962] = {0};
    for (int i = 0; i < 32; i++)
        square[i] = i * i;
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        unsigned x = __VERIFIER_nondet_uint() % 32;
        int s = square[x];
        if (s < 0 || s > 961)
            return found[-1];
        sum += s;
    }
    return sum > 4 * 961 ? found[-1] : 0;
}
