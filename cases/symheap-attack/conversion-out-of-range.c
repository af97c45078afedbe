// case: symheap-attack/conversion-out-of-range
// models: what (int)1e10 is nobody knows
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 13

int main(void)
{
    int a[2] = {0};
    volatile double big = 1e10;
    int n = (int)big;
    return a[n == 7 ? 2 : 0];
}
